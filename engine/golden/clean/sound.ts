import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { ffmpeg } from "../supers/draw.ts";
import type { CleanSound } from "./clips.ts";

/** Chords that change every two seconds; low under a voice. */
const music =
  "st(0,floor(mod(t,8)/2)); st(1,if(eq(ld(0),0),261.63,if(eq(ld(0),1),220,if(eq(ld(0),2),174.61,196)))); 0.1*(sin(2*PI*ld(1)*t)+sin(2*PI*ld(1)*1.26*t)+sin(2*PI*ld(1)*1.5*t))";

/** Music and voice in one file that measures what it should. Needs espeak-ng. */
export function makeSound(sound: CleanSound, folder: string): string {
  const { seconds, loudness, voice } = sound;
  const [mixed, finished] = [join(folder, "mixed.wav"), join(folder, "sound.wav")];
  const bed = ["-f", "lavfi", "-i", `aevalsrc='${music}':s=48000:d=${seconds}`];
  if (voice === undefined) {
    ffmpeg([...bed, "-ac", "2", mixed]);
  } else {
    const spoken = join(folder, "voice.wav");
    execFileSync("espeak-ng", ["-v", voice.name, "-s", "150", "-w", spoken, voice.text]);
    const graph = `[1]aresample=48000,adelay=400:all=1,apad,atrim=duration=${seconds}[voice];[0]volume=-14dB[bed];[voice][bed]amix=inputs=2:duration=first:normalize=0`;
    ffmpeg([...bed, "-i", spoken, "-filter_complex", graph, "-ac", "2", mixed]);
  }
  const gain = loudness - measure(mixed);
  // A loud mix of a voice would go over the highest true peak that its destination takes.
  const squeeze = loudness > -18 ? "acompressor=threshold=0.06:ratio=12:attack=1:release=80," : "";
  ffmpeg(["-i", mixed, "-af", `volume=${gain}dB,${squeeze}alimiter=limit=0.5:level=0`, finished]);
  ffmpeg(["-i", finished, "-af", `volume=${loudness - measure(finished)}dB`, mixed]);
  return mixed;
}

/** The integrated loudness of a file, in LUFS. */
function measure(file: string): number {
  const { stderr } = spawnSync("ffmpeg", ["-nostdin", "-i", file, "-af", "ebur128", "-f", "null", "-"]);
  const value = /Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/u.exec(stderr.toString())?.[1];
  if (value === undefined) throw new Error(`ffmpeg did not say how loud ${file} is.`);
  return Number(value);
}
