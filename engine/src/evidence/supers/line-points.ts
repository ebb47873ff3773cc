import type { PlanarFormat } from "../evidence.ts";
import type { Extent } from "./text-extent.ts";
import type { TextFrame } from "./text-frames.ts";

/** Places on the letters of a line or beside them. */
export type LinePoints = {
  /** x and y by turns, in pixels of the picture. */
  xy: Int16Array;
  /** From the first to the last of them. */
  extent: Extent;
};

/** Which plane of a frame, and where the points come to lie on it: larger by `scale`, then moved by `origin`. */
export type Sampling = {
  frame: TextFrame;
  format: PlanarFormat;
  plane: 0 | 1 | 2;
  origin: { x: number; y: number };
  scale: number;
};

export function linePoints(xy: number[]): LinePoints {
  const extent = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let index = 0; index < xy.length; index += 2) {
    const [x, y] = [xy[index] as number, xy[index + 1] as number];
    extent.left = Math.min(extent.left, x);
    extent.right = Math.max(extent.right, x);
    extent.top = Math.min(extent.top, y);
    extent.bottom = Math.max(extent.bottom, y);
  }
  return { xy: Int16Array.from(xy), extent };
}

export function everyFourth({ xy, extent }: LinePoints): LinePoints {
  return { xy: xy.filter((_, index) => index % 8 < 2), extent };
}

/** The values at the points that are in the picture, as `takeLevels` found them last. */
export let levels = new Uint8Array(512);

/** Answers how many there are. */
export function takeLevels({ xy, extent }: LinePoints, { frame, format, plane, origin, scale }: Sampling): number {
  const { width, height } = format;
  const { yuv } = frame;
  const shift = plane === 0 ? 0 : 1;
  const area = width * height;
  const start = plane === 0 ? 0 : plane === 1 ? area : area * 1.25;
  const rowLength = width >> shift;
  if (xy.length > 2 * levels.length) levels = new Uint8Array(xy.length);
  const to = levels;
  let count = 0;
  // Rounding takes longer than all the rest, and most lines are as large as they were, whole pixels away.
  if (scale === 1 && Number.isInteger(origin.x) && Number.isInteger(origin.y) && isInside(extent, origin, format)) {
    const [right, down] = [origin.x | 0, origin.y | 0];
    for (let index = 0; index < xy.length; index += 2) {
      const [x, y] = [(xy[index] as number) + right, (xy[index + 1] as number) + down];
      to[count] = yuv[start + (y >> shift) * rowLength + (x >> shift)] as number;
      count += 1;
    }
    return count;
  }
  for (let index = 0; index < xy.length; index += 2) {
    const x = Math.round((xy[index] as number) * scale + origin.x);
    const y = Math.round((xy[index + 1] as number) * scale + origin.y);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    to[count] = yuv[start + (y >> shift) * rowLength + (x >> shift)] as number;
    count += 1;
  }
  return count;
}

function isInside({ left, right, top, bottom }: Extent, { x, y }: { x: number; y: number }, format: PlanarFormat) {
  return left + x >= 0 && top + y >= 0 && right + x < format.width && bottom + y < format.height;
}
