import { execFile } from "node:child_process";
import { access, mkdir, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { say } from "../report.ts";
import { grounds, type KitAnimation, type KitClip } from "./kit.ts";

/** Change it whenever the kit changes: the files of the last run are used again. */
const version = "2";
const folder = join(tmpdir(), `greenlit-bench-reading-${version}`);
/** Of DejaVu Sans Bold: a capital, as a share of the size of the font. */
const capShare = 0.729;

export async function makeKitClip(clip: KitClip): Promise<string> {
  return once(clip.name, async (file) => {
    const texts = await Promise.all(
      clip.texts.map(async ({ text, from, to, capLines, x, y }, index) => {
        const textFile = join(folder, `${clip.name}-${index}.txt`);
        await writeFile(textFile, text);
        const border = Math.max(1, Math.round(capLines / 12));
        const time = `enable='gte(t,${(from - 0.02).toFixed(2)})*lt(t,${(to - 0.02).toFixed(2)})'`;
        return `drawtext=expansion=none:font='DejaVu Sans Bold':textfile=${textFile}:fontsize=${Math.round(capLines / capShare)}:fontcolor=white:borderw=${border}:x=${x}:y=${y}:${time}`;
      }),
    );
    const shape = `scale=${clip.width}:${clip.height}:force_original_aspect_ratio=increase,crop=${clip.width}:${clip.height}`;
    const graph = [grounds[clip.ground], shape, ...texts, "format=yuv420p"].join(",");
    const coding = "-c:v libx264 -preset veryfast -crf 24 -colorspace bt709 -color_primaries bt709 -color_trc bt709";
    await ffmpeg(["-f", "lavfi", "-i", graph, "-t", String(clip.seconds), ...coding.split(" "), file]);
  });
}

export async function makeKitAnimation(animation: KitAnimation): Promise<string> {
  return once(animation.name, async (file) => {
    const pictures = await Promise.all(
      animation.frames.map(({ text, isDark }) => drawCard({ ...animation, text, isDark })),
    );
    const delay = animation.frames.map(({ seconds }) => seconds * 1000);
    const kind = animation.name.slice(animation.name.lastIndexOf(".") + 1);
    if (kind === "gif" || kind === "webp") {
      const joined = sharp(pictures, { join: { animated: true } });
      await (kind === "gif" ? joined.gif({ delay }) : joined.webp({ delay, quality: 90 })).toFile(file);
      return;
    }
    await makeSlides(animation, { pictures, file, kind });
  });
}

/** A file of as many frames as there are cards: each says how long it is shown. */
async function makeSlides(
  { name, frames }: KitAnimation,
  { pictures, file, kind }: { pictures: Buffer[]; file: string; kind: string },
): Promise<void> {
  const list = ["ffconcat version 1.0"];
  for (const [index, picture] of pictures.entries()) {
    const path = join(folder, `${name}-${index}.png`);
    await writeFile(path, picture);
    list.push(`file '${path}'`, "option framerate 100", `duration ${frames[index]?.seconds ?? 1}`);
  }
  const listFile = join(folder, `${name}.txt`);
  await writeFile(listFile, `${list.join("\n")}\n`);
  const last = frames.at(-1)?.seconds ?? 1;
  const coding: Record<string, string[]> = {
    png: ["-f", "apng", "-plays", "0", "-final_delay", String(last)],
    webm: ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-f", "webm"],
    mkv: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-f", "matroska"],
    mp4: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-f", "mp4"],
  };
  // A film says how long its last frame is shown by the sound that goes on.
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const sound = ["-f", "lavfi", "-t", String(total), "-i", "anullsrc=r=48000:cl=mono"];
  const input = ["-f", "concat", "-safe", "0", "-i", listFile, ...(kind === "png" ? [] : sound)];
  await ffmpeg([...input, "-fps_mode", "passthrough", ...(coding[kind] ?? []), file]);
}

/** A card of text, flat as a banner is. */
function drawCard(card: { text: string; isDark: boolean; width: number; height: number }): Promise<Buffer> {
  const { text, isDark, width, height } = card;
  return drawSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${isDark ? "#16324f" : "#f4efe2"}"/><text x="40" y="${height / 2 + 15}" font-family="DejaVu Sans" font-weight="bold" font-size="44" fill="${isDark ? "#fff" : "#222"}">${text}</text></svg>`,
  );
}

export function drawSvg(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Made once; half a file is never taken for a whole one. */
export async function once(name: string, make: (file: string) => Promise<void>): Promise<string> {
  const file = join(folder, name);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  await mkdir(folder, { recursive: true });
  say(`making ${name}`);
  const half = join(folder, `half-${name}`);
  await make(half);
  await rename(half, file);
  return file;
}

async function ffmpeg(args: string[]): Promise<void> {
  await promisify(execFile)("ffmpeg", ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args]);
}
