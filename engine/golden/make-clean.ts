import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CleanClip, cleanClips, cleanSounds } from "./clean/clips.ts";
import { cleanDocuments } from "./clean/documents.ts";
import { cleanPictures } from "./clean/pictures.ts";
import { makeSound } from "./clean/sound.ts";
import { draw, ffmpeg } from "./supers/draw.ts";

/**
 * Makes the honest media in clean/files again, on which no rule may raise anything above INFO;
 * rulepacks/corpus/clean-media.yaml says where each of them is meant for. The tests read the files and never run this.
 * Needs ffmpeg, espeak-ng and the fonts Liberation. `node make-clean.ts NAME …` makes only these clips and sounds.
 */
const folder = fileURLToPath(new URL("./clean/files/", import.meta.url));
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "greenlit-clean-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const only = process.argv.slice(2);
const wanted = ([name]: readonly [string, unknown]) => only.length === 0 || only.includes(name);

const exact = "-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1".split(" ");

function makeClip(name: string, clip: CleanClip): void {
  const { seconds, colours, lines, captions } = clip;
  const texts = lines.map((line) => draw({ font: "plainBold", colour: "white", x: "centre", ...line }));
  const scene = `gradients=s=1280x720:r=25:c0=${colours[0]}:c1=${colours[1]}:x0=0:y0=0:x1=1279:y1=719:speed=0.03:seed=1:d=${seconds},format=rgb24[scene]`;
  // Something must move: a picture that stands still for seconds is a fault of its own.
  const bar = `color=0x9fb3c8:s=110x20:r=25:d=${seconds},format=rgb24[bar]`;
  const end = `[scene][bar]overlay=x='40+150*t':y=12:shortest=1,${texts.join(",")},scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[out]`;
  const inputs = ["-i", makeSound(clip, scratch)];
  if (captions !== undefined) {
    writeFileSync(join(scratch, "captions.srt"), captions.map(captionBlock).join("\n"));
    inputs.push("-i", join(scratch, "captions.srt"));
  }
  ffmpeg([
    ...inputs,
    "-filter_complex",
    [scene, bar, end].join(";"),
    ..."-map [out] -map 0:a".split(" "),
    ...(captions === undefined ? [] : "-map 1:s -c:s mov_text -metadata:s:s:0 language=eng".split(" ")),
    ...exact,
    ..."-c:v libx264 -preset medium -crf 34 -x264-params log-level=none:keyint=250".split(" "),
    ..."-color_primaries bt709 -color_trc bt709 -colorspace bt709".split(" "),
    ...`-c:a aac -b:a 64k -movflags +faststart -t ${seconds}`.split(" "),
    folder + name,
  ]);
}

function captionBlock([from, to, words]: readonly [number, number, string], index: number): string {
  const clock = (seconds: number) => `00:00:${seconds.toFixed(3).padStart(6, "0").replace(".", ",")}`;
  return `${index + 1}\n${clock(from)} --> ${clock(to)}\n${words}\n`;
}

for (const [name, clip] of Object.entries(cleanClips).filter(wanted)) makeClip(name, clip);
for (const [name, sound] of Object.entries(cleanSounds).filter(wanted)) {
  ffmpeg(["-i", makeSound(sound, scratch), ...exact, "-b:a", "64k", folder + name]);
}
if (only.length === 0) {
  for (const [name, bytes] of Object.entries({ ...cleanDocuments(), ...(await cleanPictures(scratch)) })) {
    writeFileSync(folder + name, bytes);
  }
}
