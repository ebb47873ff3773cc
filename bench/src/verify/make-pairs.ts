import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Pair } from "./pairs.ts";
import type { Scene } from "./scenes.ts";

const run = promisify(execFile);
/** Change it whenever files of the same description become others. */
const version = "2";
const folder = join(tmpdir(), "greenlit-bench-verify");

/** The file of a master. Made once and kept, as long as its description stays the same. */
export function makeMaster(scene: Scene): Promise<string> {
  return make({ scene, extension: "mp4" }, async (file) => render(scene, masterCoding, file));
}

/** Drawn once: some sources draw something else each time. */
function makeBackground({ background, seconds }: Scene): Promise<string> {
  return make({ extension: "mkv", background, seconds }, (file) =>
    ffmpeg(["-f", "lavfi", "-i", background, "-t", String(seconds), "-c:v", "ffv1", "-pix_fmt", "yuv420p", file]),
  );
}

const masterCoding = "-c:v libx264 -preset veryfast -crf 14 -pix_fmt yuv420p -c:a aac -b:a 192k".split(" ");

/** The file that is compared with the master. */
export function makePair(scene: Scene, pair: Pair): Promise<string> {
  return make({ scene, pair, extension: pair.extension }, async (file) => {
    if (pair.scene === undefined) {
      await ffmpeg(["-i", await makeMaster(scene), ...pair.args, file]);
      return;
    }
    // Coded once like the master, so that it differs by nothing but what was changed.
    const changed = await makeMaster({ ...pair.scene, name: `${pair.scene.name}, ${pair.name}` });
    await ffmpeg(["-i", changed, ...pair.args, file]);
  });
}

async function make(
  what: { extension: string; [part: string]: unknown },
  write: (file: string) => Promise<void>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = createHash("sha256")
    .update(JSON.stringify([version, what]))
    .digest("hex")
    .slice(0, 16);
  const file = join(folder, `${name}.${what.extension}`);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  const half = join(folder, `half-${process.pid}-${name}.${what.extension}`);
  await write(half);
  await rename(half, file);
  return file;
}

async function render(scene: Scene, coding: string[], file: string): Promise<void> {
  const voice = await makeVoice(scene.words);
  const texts = scene.supers.map(
    ({ text, from, to, size, x, y }) =>
      `drawtext=text='${text.replaceAll("%", "\\\\%")}':fontcolor=white:borderw=2:fontsize=${size}:x=${x}:y=${y}:enable='between(t,${from},${to - 0.001})'`,
  );
  const picture = [...texts, ...(scene.finish === undefined ? [] : [scene.finish]), "setsar=1", "format=yuv420p"].join(
    ",",
  );
  const music = "0.03*(sin(2*PI*220*t)+sin(2*PI*330*t))*(0.7+0.3*sin(2*PI*0.5*t))";
  const graph = `[0]${picture}[v];[2]aresample=48000,apad=whole_dur=${scene.seconds},atrim=0:${scene.seconds}[voice];[1][voice]amix=normalize=0,aformat=channel_layouts=stereo[a]`;
  const inputs = [
    "-i",
    await makeBackground(scene),
    "-f",
    "lavfi",
    "-i",
    `aevalsrc='${music}':s=48000:d=${scene.seconds}`,
    "-i",
    voice,
  ];
  const streams = ["-map", "[v]", "-map", "[a]", "-t", String(scene.seconds), "-r", scene.rate];
  await ffmpeg([...inputs, "-filter_complex", graph, ...streams, ...coding, file]);
}

function makeVoice(words: string): Promise<string> {
  return make({ extension: "wav", words }, async (file) => {
    await run("flite", ["-voice", "slt", "-t", words, "-o", file]);
  });
}

async function ffmpeg(args: string[]): Promise<void> {
  await run("ffmpeg", ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-threads", "2", ...args]);
}
