import { execFile } from "node:child_process";
import { access, mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { say } from "../report.ts";

const run = promisify(execFile);

export const clipSeconds = 30;

/** Change it whenever the clip changes: the one of the last run is used again. */
const version = "2";

const supers: [text: string, from: number, to: number, size: number, place: string][] = [
  ["SUMMER SALE", 0.6, 4, 110, "x=(w-tw)/2:y=160"],
  ["Now only 9.99 a month", 2, 7.5, 72, "x=140:y=420"],
  ["18+ only. Drink responsibly.", 5, 11, 40, "x=140:y=960"],
  ["Free delivery on your first order", 9, 14, 56, "x=260:y=600"],
  ["Terms apply. See website for details.", 12, 19, 30, "x=(w-tw)/2:y=1010"],
  ["Two for one this weekend", 15.5, 20, 64, "x=900:y=260"],
  ["Representative example 24.9% APR", 18, 25, 34, "x=120:y=940"],
  ["Ask in store", 21, 24.5, 96, "x=(w-tw)/2:y=480"],
  ["www.example.com", 24, 30, 60, "x=(w-tw)/2:y=880"],
];

const speech =
  "Welcome to the summer sale. From today you can have the whole range for less than ten pounds a month. " +
  "There is free delivery on your first order, and our friendly team will help you to choose. " +
  "Offer ends on Sunday. Terms and conditions apply, so please see the website for the full details. " +
  "Come in and talk to us, or order from home. We look forward to seeing you.";

/** 30 s of 1080p25 H.264 and AAC: a moving background, nine supers, about 20 s of speech, music. Made once and kept. */
export async function makeClip(): Promise<string> {
  const folder = join(tmpdir(), "greenlit-bench-engine");
  const file = join(folder, `clip-${version}.mp4`);
  if (await exists(file)) return file;
  say("making the clip, once");
  await mkdir(folder, { recursive: true });
  const voice = await makeVoice(folder);
  const texts = supers.map(
    ([text, from, to, size, place]) =>
      `drawtext=text='${text.replaceAll("%", "\\\\%")}':fontcolor=white:borderw=3:fontsize=${size}:${place}:enable='between(t,${from},${to})'`,
  );
  const picture = ["noise=alls=6:allf=t", ...texts, "format=yuv420p"].join(",");
  const music = "0.08*(sin(2*PI*220*t)+sin(2*PI*277.2*t)+sin(2*PI*329.6*t))*(0.6+0.4*sin(2*PI*0.5*t))";
  const half = `${file}.half.mp4`;
  const background = `gradients=s=1920x1080:r=25:d=${clipSeconds}:speed=0.03:seed=7:n=6`;
  const graph = `[0]${picture}[v];[2]adelay=3000:all=1,apad=whole_dur=${clipSeconds}[voice];[1][voice]amix=normalize=0[a]`;
  const inputs = ["-f", "lavfi", "-i", background, "-f", "lavfi", "-i", `aevalsrc='${music}':s=48000:d=${clipSeconds}`];
  const coding = "-c:v libx264 -preset veryfast -b:v 8M -maxrate 10M -bufsize 16M -c:a aac -b:a 160k -ac 2".split(" ");
  const streams = ["-map", "[v]", "-map", "[a]", "-t", String(clipSeconds)];
  await ffmpeg([...inputs, ...voice.input, "-filter_complex", graph, ...streams, ...coding, half]);
  await rename(half, file);
  return file;
}

/** The same ten times over, without coding it anew. */
export async function repeatClip(file: string, times: number): Promise<string> {
  const long = file.replace(/\.mp4$/, `-x${times}.mp4`);
  if (await exists(long)) return long;
  const half = `${long}.half.mp4`;
  await ffmpeg(["-stream_loop", String(times - 1), "-i", file, "-c", "copy", half]);
  await rename(half, long);
  return long;
}

/** Its first seconds, without coding them anew. */
export async function cutClip(file: string, seconds: number): Promise<string> {
  const short = file.replace(/\.mp4$/, `-${seconds}s.mp4`);
  if (await exists(short)) return short;
  const half = `${short}.half.mp4`;
  await ffmpeg(["-i", file, "-t", String(seconds), "-c", "copy", half]);
  await rename(half, short);
  return short;
}

async function makeVoice(folder: string): Promise<{ input: string[] }> {
  const file = join(folder, "voice.wav");
  for (const [program, args] of [
    ["espeak-ng", ["-v", "en", "-s", "150", "-w", file, speech]],
    ["flite", ["-t", speech, "-o", file]],
  ] as const)
    try {
      await run(program, args);
      return { input: ["-i", file] };
    } catch {
      // Not installed: the next one.
    }
  say("neither espeak-ng nor flite is installed: tones instead of speech, of which there is nothing to hear");
  return { input: ["-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*(180+60*sin(2*PI*3*t))*t)':s=22050:d=20"] };
}

async function ffmpeg(args: string[]): Promise<void> {
  await run("ffmpeg", ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args]);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
