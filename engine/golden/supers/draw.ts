import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fonts, type GoldenText } from "./clips.ts";

const folder = mkdtempSync(join(tmpdir(), "greenlit-golden-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let written = 0;

export function ffmpeg(args: string[]): Buffer {
  return execFileSync("ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", ...args], {
    maxBuffer: 2 ** 31 - 1,
  });
}

/** The text in a file of its own: a filter's arguments would need three kinds of escapes. */
function textFile(text: string): string {
  const path = join(folder, `text-${(written += 1)}.txt`);
  writeFileSync(path, text);
  return path;
}

function face({ text, font, size }: Pick<GoldenText, "text" | "font" | "size">): string {
  const file = `/usr/share/fonts/truetype/${fonts[font]}`;
  return `drawtext=expansion=none:fontfile=${file}:textfile=${textFile(text)}:fontsize=${size}`;
}

/** Half a frame before, so that no rounding decides whether a frame is in. */
const justBefore = (seconds: number) => (seconds - 0.02).toFixed(2);

/** A filter that draws the text as it comes, goes and moves. */
export function draw(text: GoldenText): string {
  const { colour, fadeIn = 0, fadeOut = 0, block, edge, speed } = text;
  const x = text.x === "centre" ? "(w-text_w)/2" : `${text.x}${speed === undefined ? "" : `+(${speed.x})*t`}`;
  const y = `${text.y}${speed === undefined ? "" : `+(${speed.y})*t`}`;
  const rise = fadeIn > 0 ? `(t-${text.from})/${fadeIn}` : "1";
  const fall = fadeOut > 0 ? `(${text.to}-t)/${fadeOut}` : "1";
  return [
    face(text),
    `fontcolor=${colour}`,
    `x='${x}'`,
    `y='${y}'`,
    `alpha='clip(min(${rise},${fall}),0,1)'`,
    `enable='gte(t,${justBefore(text.from)})*lt(t,${justBefore(text.to)})'`,
    ...(edge === undefined ? [] : [`borderw=${edge}`]),
    ...(block === undefined ? [] : [`box=1:boxcolor=${block.colour}:boxborderw=${block.margin}`]),
  ].join(":");
}

/** One picture of the letters alone, white on black, of the given size. */
export function drawLetters(
  text: Pick<GoldenText, "text" | "font" | "size" | "x" | "y">,
  size: { width: number; height: number },
): Uint8Array {
  const x = text.x === "centre" ? "(w-text_w)/2" : text.x;
  const filter = `${face(text)}:fontcolor=white:x=${x}:y=${text.y}`;
  const source = `color=black:s=${size.width}x${size.height}:d=0.04,format=rgb24,${filter}`;
  const pixels = ffmpeg(["-f", "lavfi", "-i", source, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]);
  return Uint8Array.from({ length: size.width * size.height }, (_, index) => pixels[index * 3] ?? 0);
}

/** How high the capital letters of a font are, in lines. */
export function capHeight(text: Pick<GoldenText, "font" | "size">): number {
  const size = { width: 400, height: 400 };
  const pixels = drawLetters({ ...text, text: "H", x: 100, y: 100 }, size);
  let highest = 0;
  for (let x = 0; x < size.width; x += 1) {
    let sum = 0;
    for (let y = 0; y < size.height; y += 1) sum += (pixels[y * size.width + x] ?? 0) / 255;
    highest = Math.max(highest, sum);
  }
  return highest;
}

export type Extent = { left: number; right: number; top: number; bottom: number };

/** Where there is ink at all. */
export function extentOf(pixels: Uint8Array, size: { width: number; height: number }): Extent {
  const extent = { left: size.width, right: 0, top: size.height, bottom: 0 };
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      if ((pixels[y * size.width + x] ?? 0) < 128) continue;
      extent.left = Math.min(extent.left, x);
      extent.right = Math.max(extent.right, x + 1);
      extent.top = Math.min(extent.top, y);
      extent.bottom = Math.max(extent.bottom, y + 1);
    }
  }
  return extent;
}
