import type { Raster } from "../../evidence/pixels/raster.ts";

/** Pixels, and shares of the shorter side of the picture: smaller is dust, larger is no letter of several. */
const leastSide = 7;
const mostShare = 0.5;
/** Of the middle one: letters of one word are about as large as each other. */
const likeSize = 1.5;
/** Of the picture: what covers more is not ink. */
const mostInk = 0.4;
/** Of 255 between ink and ground: fainter is texture. */
const leastStep = 50;

/** How many shapes of about one size stand apart in a picture, as the letters of a word do. */
export function countLetters({ width, height, pixels }: Raster): number {
  const gray = Uint8Array.from({ length: width * height }, (_, index) => pixels[index * 3 + 1] as number);
  const [low, high] = [Math.min(...sample(gray)), Math.max(...sample(gray))];
  if (high - low < leastStep) return 0;
  const middle = (low + high) / 2;
  const dark = gray.reduce((sum, value) => sum + Number(value < middle), 0);
  const isDarkInk = dark <= gray.length / 2;
  if (Math.min(dark, gray.length - dark) > mostInk * gray.length) return 0;
  const isInk = gray.map((value) => Number(value < middle === isDarkInk));
  const sizes = shapesOf(isInk, { width, height })
    .filter((side) => side >= leastSide && side <= mostShare * Math.min(width, height))
    .toSorted((a, b) => a - b);
  const typical = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return sizes.filter((side) => side <= likeSize * typical && side >= typical / likeSize).length;
}

/** Enough to know the range: the whole would be too many arguments. */
function sample(gray: Uint8Array): number[] {
  const step = Math.max(1, Math.floor(gray.length / 5_000));
  return Array.from({ length: Math.floor(gray.length / step) }, (_, index) => gray[index * step] as number);
}

/** The longer side of every shape that hangs together. */
function shapesOf(isInk: Uint8Array, { width, height }: { width: number; height: number }): number[] {
  const sides: number[] = [];
  for (let start = 0; start < isInk.length; start += 1) {
    if (isInk[start] !== 1) continue;
    isInk[start] = 0;
    const open = [start];
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (isInk[next] !== 1) continue;
        isInk[next] = 0;
        open.push(next);
      }
    }
    sides.push(Math.max(right - left, bottom - top) + 1);
  }
  return sides;
}
