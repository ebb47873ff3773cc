import type { TextFrame } from "./text-frames.ts";

/** Counts of a cell of the picture: of what looks like letters, and of what surely is none. */
export type FaintCounts = { upright: Uint8Array; level: Uint8Array; flat: Uint8Array };

/** Pixels of brightness; in the planes of colour half of that. */
export const faintCell = 16;
/** What is looked at in a cell: every second pixel of every fourth row. */
const looked = (faintCell / 2) * (faintCell / 4);
/** Levels of brightness: ten of 255 in a picture are eight in a film, and compression takes some. */
const brightStep = 6;
const brightStill = 3;
const brightOther = 4;
/** Levels of both colours together. */
const colourStep = 12;
const colourStill = 6;
const colourOther = 8;
/** The soft slopes of a picture out of focus are steeper. */
const brightFlat = 2;
const colourFlat = 3;
/** Of what is looked at. Letters have strokes down and across, and a plain ground between them: texture has none. */
const leastUpright = 0.07;
const leastLevel = 0.03;
const leastFlat = 0.3;

type Planes = { now: Uint8Array; one: Uint8Array; two: Uint8Array; seen: Uint8Array | null };

/**
 * Finds letters that the watch for strokes cannot see: fainter than it looks for, or as bright as their ground and only
 * of another colour. Twice as costly a frame, so it looks at few of them.
 */
export function createFaintWatch({ width, height }: { width: number; height: number }) {
  const columns = Math.floor(width / faintCell);
  const rows = Math.floor(height / faintCell);
  const size = columns * rows;
  const kinds: FaintCounts[] = [0, 1].map(() => ({
    upright: new Uint8Array(size),
    level: new Uint8Array(size),
    flat: new Uint8Array(size),
  }));
  const [bright, colour] = kinds as [FaintCounts, FaintCounts];
  const half = width >> 1;
  const [uStart, vStart] = [width * height, width * height + half * (height >> 1)];

  function countBright({ now, one, two, seen }: Planes, at: number, index: number): void {
    const across = Math.abs((now[at + 1] as number) - (now[at - 2] as number));
    const down = Math.abs((now[at + width] as number) - (now[at - 2 * width] as number));
    if (across <= brightFlat && down <= brightFlat) bright.flat[index] = (bright.flat[index] as number) + 1;
    if (across < brightStep && down < brightStep) return;
    const value = now[at] as number;
    if (seen !== null && Math.abs(value - (seen[at] as number)) < brightOther) return;
    if (Math.abs(value - (one[at] as number)) > brightStill || Math.abs(value - (two[at] as number)) > brightStill)
      return;
    if (across >= brightStep) bright.upright[index] = (bright.upright[index] as number) + 1;
    if (down >= brightStep) bright.level[index] = (bright.level[index] as number) + 1;
  }

  const between = (a: Uint8Array, at: number, b: Uint8Array, other: number) =>
    Math.abs((a[uStart + at] as number) - (b[uStart + other] as number)) +
    Math.abs((a[vStart + at] as number) - (b[vStart + other] as number));

  function countColour({ now, one, two, seen }: Planes, at: number, index: number): void {
    const across = between(now, at + 1, now, at - 1);
    const down = between(now, at + half, now, at - half);
    if (across <= colourFlat && down <= colourFlat) colour.flat[index] = (colour.flat[index] as number) + 1;
    if (across < colourStep && down < colourStep) return;
    if (seen !== null && between(now, at, seen, at) < colourOther) return;
    if (between(now, at, one, at) > colourStill || between(now, at, two, at) > colourStill) return;
    if (across >= colourStep) colour.upright[index] = (colour.upright[index] as number) + 1;
    if (down >= colourStep) colour.level[index] = (colour.level[index] as number) + 1;
  }

  const isText = ({ upright, level, flat }: FaintCounts, index: number) =>
    (upright[index] as number) >= leastUpright * looked &&
    (level[index] as number) >= leastLevel * looked &&
    (flat[index] as number) >= leastFlat * looked;

  return {
    /** Which cells look like faint letters that are new and stand still; `seen`: what the reader saw last. */
    find(frame: TextFrame, past: { one: TextFrame; two: TextFrame; seen: Uint8Array | null }) {
      const planes = { now: frame.yuv, one: past.one.yuv, two: past.two.yuv, seen: past.seen };
      for (const { upright, level, flat } of kinds) for (const counts of [upright, level, flat]) counts.fill(0);
      for (let y = 2; y < (rows * faintCell) / 2 - 1; y += 2) {
        const rowCells = Math.floor((2 * y) / faintCell) * columns;
        for (let x = 2; x < (columns * faintCell) / 2 - 1; x += 1) {
          const index = rowCells + Math.floor((2 * x) / faintCell);
          countBright(planes, 2 * y * width + 2 * x, index);
          countColour(planes, y * half + x, index);
        }
      }
      return (index: number) => isText(bright, index) || isText(colour, index);
    },
  };
}
