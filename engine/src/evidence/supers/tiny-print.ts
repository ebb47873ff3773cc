import type { Raster } from "../pixels/raster.ts";
import type { Extent } from "./text-extent.ts";

/** Pixels. A line is looked at in pieces of this width. */
const piece = 48;
const leastPieces = 3;
/** Levels of 255 from one pixel to the next: a stroke. */
const stroke = 30;
/** Strokes in a row of a piece: so many have letters somewhere, so few are beside them. */
const manyStrokes = 9;
const fewStrokes = 1;
/** Rows of a line with the tails of its letters: the reader finds higher ones by itself, and lower ones are rules. */
const rows = { least: 4, most: 10 };
/** Changes down the columns of a piece: the marks of a ruler have none between their ends. */
const leastChanges = 12;

type Run = { top: number; bottom: number };

/** Lines of print that is too small for the reader to find: low bands full of strokes, plain above and below. */
export function findTinyPrint({ width, height, pixels }: Raster): Extent[] {
  const at = (x: number, y: number) => pixels[(y * width + x) * 3 + 1] as number;
  const columns = Math.floor(width / piece);
  const open: (Extent & { pieces: number; last: number })[] = [];
  for (let column = 0; column < columns; column += 1) {
    for (const { top, bottom } of runsOf(strokesDown(at, column, height))) {
      if (changesIn(at, column, { top, bottom }) < leastChanges) continue;
      const line = open.find(
        (other) =>
          other.last >= column - 2 &&
          other.last < column &&
          Math.abs(other.top - top) <= 2 &&
          Math.abs(other.bottom - bottom) <= 3,
      );
      if (line === undefined) {
        open.push({ left: column * piece, right: (column + 1) * piece, top, bottom, pieces: 1, last: column });
        continue;
      }
      line.pieces += 1;
      line.last = column;
      line.right = (column + 1) * piece;
      line.top = Math.min(line.top, top);
      line.bottom = Math.max(line.bottom, bottom);
    }
  }
  return open
    .filter(({ pieces, top, bottom }) => pieces >= leastPieces && bottom - top <= rows.most + 2)
    .map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
}

/** Whether readings lie over a line of print, but for its ends: half a line that was read is half a line lost. */
export function isReadOver({ left, right, top, bottom }: Extent, readings: readonly Extent[]): boolean {
  const over = readings
    .filter((other) => Math.min(bottom, other.bottom) - Math.max(top, other.top) >= (bottom - top) / 2)
    .toSorted((a, b) => a.left - b.left);
  let unread = 0;
  let reached = left;
  for (const other of over) {
    unread += Math.max(0, Math.min(right, other.left) - reached);
    reached = Math.max(reached, other.right);
  }
  unread += Math.max(0, right - reached);
  return unread <= Math.max(1.5 * piece, 0.2 * (right - left));
}

function strokesDown(at: (x: number, y: number) => number, column: number, height: number): number[] {
  return Array.from({ length: height }, (_, y) => {
    let strokes = 0;
    for (let x = column * piece; x < (column + 1) * piece - 1; x += 1) {
      if (Math.abs(at(x + 1, y) - at(x, y)) > stroke) strokes += 1;
    }
    return strokes;
  });
}

function runsOf(strokes: readonly number[]): Run[] {
  const runs: Run[] = [];
  let top = -1;
  for (const [row, count] of strokes.entries()) {
    if (count > fewStrokes && top < 0) top = row;
    if (count > fewStrokes || top < 0) continue;
    const length = row - top;
    const most = Math.max(...strokes.slice(top, row));
    if (top > 0 && length >= rows.least && length <= rows.most && most >= manyStrokes) runs.push({ top, bottom: row });
    top = -1;
  }
  return runs;
}

function changesIn(at: (x: number, y: number) => number, column: number, { top, bottom }: Run): number {
  let changes = 0;
  for (let y = top + 1; y < bottom - 2; y += 1) {
    for (let x = column * piece; x < (column + 1) * piece; x += 1) {
      if (Math.abs(at(x, y + 1) - at(x, y)) > stroke) changes += 1;
    }
  }
  return changes;
}
