import type { Extent } from "./text-extent.ts";
import type { TextFrame } from "./text-frames.ts";

/** Rows of the picture, from the first to before the last. */
export type Strip = { top: number; bottom: number };

export type TextWatch = {
  /** Looks at the next frame and says where something new has come that looks like text. */
  watch: (frame: TextFrame, past: Past) => Watched;
  /** The reader has seen this frame, or these rows of it: what is in it is news no longer. */
  remember: (frame: TextFrame, strips: Strip[]) => void;
};

/** The two frames before, and where text stands that is known. */
export type Past = { one: TextFrame | undefined; two: TextFrame | undefined; known: Extent[] };

export type Watched = {
  /** Where letters stand still that were not there when the reader last looked. */
  news: Strip[];
  /** Most of the picture is another than a moment ago. */
  isCut: boolean;
  /** Share of the picture, 0 to 1, that has changed since the reader last looked and has the grain of letters; without the news. */
  changed: number;
};

const cell = 16;
/** Levels of 255: what a stroke differs from what is around it, what compression changes in what stands still, and what is surely something else. */
const strokeStep = 36;
const stillStep = 12;
const otherStep = 28;
/** Of the pixels looked at in a cell: strokes that run down and strokes that run across. Letters have both. */
const leastUpright = 0.07;
const leastLevel = 0.03;
/** Cells side by side that make the shortest word worth a look. */
const leastRun = 2;
const cutShare = 0.4;

/**
 * Watches for text by its strokes, which costs a hundredth of reading. Text stands still, or what it stands on does:
 * new text is where strokes hold still for a moment that the reader has not seen. What moves on behind is never still.
 */
export function createTextWatch({ width, height }: { width: number; height: number }): TextWatch {
  const columns = Math.floor(width / cell);
  const rows = Math.floor(height / cell);
  const seen = new Uint8Array(width * height);
  const upright = new Uint16Array(columns * rows);
  const level = new Uint16Array(columns * rows);
  const grain = new Uint16Array(columns * rows);
  let hasSeen = false;

  /** Every second row and pixel. */
  const looked = (cell / 2) ** 2;

  function count(now: Uint8Array, one: Uint8Array, two: Uint8Array): number {
    upright.fill(0);
    level.fill(0);
    grain.fill(0);
    let moved = 0;
    for (let y = 2; y < rows * cell - 2; y += 2) {
      const rowCells = Math.floor(y / cell) * columns;
      for (let x = 2, at = y * width + 2; x < columns * cell - 2; x += 2, at += 2) {
        const value = now[at] as number;
        const last = value - (one[at] as number);
        if (last > strokeStep || last < -strokeStep) moved += 1;
        const across = (now[at + 1] as number) - (now[at - 2] as number);
        const down = (now[at + width] as number) - (now[at - 2 * width] as number);
        const isUpright = across > strokeStep || across < -strokeStep;
        const isLevel = down > strokeStep || down < -strokeStep;
        if (!isUpright && !isLevel) continue;
        const other = value - (seen[at] as number);
        if (hasSeen && other < otherStep && other > -otherStep) continue;
        const index = rowCells + Math.floor(x / cell);
        grain[index] = (grain[index] as number) + 1;
        const earlier = value - (two[at] as number);
        if (earlier > stillStep || earlier < -stillStep || last > stillStep || last < -stillStep) continue;
        if (isUpright) upright[index] = (upright[index] as number) + 1;
        if (isLevel) level[index] = (level[index] as number) + 1;
      }
    }
    return moved / ((width * height) / 4);
  }

  /** What changes on or right beside known letters is the picture behind them. */
  function forget(known: Extent[]): void {
    for (const { left, right, top, bottom } of known) {
      const last = { row: Math.floor(bottom / cell), column: Math.floor(right / cell) };
      for (let row = Math.max(0, Math.floor(top / cell)); row <= Math.min(rows - 1, last.row); row += 1) {
        const start = row * columns;
        const from = start + Math.max(0, Math.floor(left / cell));
        const to = start + Math.min(columns, last.column + 1);
        if (from < to) for (const counts of [upright, level, grain]) counts.fill(0, from, to);
      }
    }
  }

  function findNews(): Strip[] {
    const strips: Strip[] = [];
    for (let row = 0; row < rows; row += 1) {
      let run = 0;
      let longest = 0;
      for (let column = 0; column < columns; column += 1) {
        const index = row * columns + column;
        const isText =
          (upright[index] as number) >= leastUpright * looked && (level[index] as number) >= leastLevel * looked;
        run = isText ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      if (longest < leastRun) continue;
      const [top, bottom] = [row * cell, (row + 1) * cell];
      const last = strips.at(-1);
      if (last !== undefined && top <= last.bottom) last.bottom = bottom;
      else strips.push({ top, bottom });
    }
    return strips;
  }

  return {
    watch(frame, { one, two, known }) {
      // Without a past everything is new, and counts as still.
      const moved = count(frame.yuv, (one ?? frame).yuv, (two ?? one ?? frame).yuv);
      forget(known);
      const news = findNews();
      for (const { top, bottom } of news) grain.fill(0, (top / cell) * columns, (bottom / cell) * columns);
      const grained = grain.reduce((sum, value) => sum + (value >= 0.2 * looked ? 1 : 0), 0);
      return { news, isCut: moved > cutShare, changed: grained / (columns * rows) };
    },
    remember(frame, strips) {
      hasSeen = true;
      for (const { top, bottom } of strips) {
        seen.set(frame.yuv.subarray(top * width, bottom * width), top * width);
      }
    },
  };
}
