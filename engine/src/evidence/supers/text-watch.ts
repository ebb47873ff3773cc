import { type CellCounts, counted, type Look } from "./cell-counts.ts";
import { cell, countsPerCell } from "./cell-kernels.ts";
import { createFaintWatch } from "./faint-watch.ts";
import type { Extent } from "./text-extent.ts";
import type { TextFrame } from "./text-frames.ts";

/** Rows of the picture, from the first to before the last. */
export type Strip = { top: number; bottom: number };

export type TextWatch = {
  /** Looks at the next frame and says where something new has come that looks like text. */
  watch: (frame: TextFrame, past: Past) => Watched;
  /** The reader has seen this frame, or these rows of it: what is in it is news no longer. */
  remember: (frame: TextFrame, strips: Strip[]) => void;
  /** Letters that were there have gone: the same ones are news when they come back. */
  release: (frame: TextFrame, places: Extent[]) => void;
};

/** The two frames before, and where text stands that is known. */
export type Past = { one: TextFrame | undefined; two: TextFrame | undefined; known: Extent[] };

export type Watched = {
  /** Where letters stand still that were not there when the reader last looked. */
  news: Strip[];
  /** Where the same seems true of letters that are faint, or only of another colour than their ground. */
  faint: Strip[];
  /** Most of the picture is another than a moment ago. */
  isCut: boolean;
  /** Share of the picture, 0 to 1, that has changed since the reader last looked and has the grain of letters; without the news. */
  changed: number;
};

/** Levels of 255: what a stroke differs from what is around it, what compression changes in what stands still, and what is surely something else. */
const strokeStep = 36;
const plainStep = 6;
const steps = { stroke: strokeStep + 1, still: 12, other: 28, flat: 0 };
/** Every second row and pixel. */
const look: Look = { isColour: false, rowStep: 2, firstRow: 2, lastRows: 2, step: 2, firstColumn: 2 };
const looked = (cell / 2) ** 2;
/** Of the pixels looked at in a cell: strokes that run down and strokes that run across. Letters have both. */
const leastUpright = 0.07;
const leastLevel = 0.03;
const leastGrain = 0.2;
/** Cells side by side that make the shortest word worth a look. */
const leastRun = 2;
const leastFaintRun = 3;
/** Faint letters are looked for in one frame of so many. */
const framesPerFaintLook = 5;
const cutShare = 0.4;

/**
 * Watches for text by its strokes, which costs a hundredth of reading. Text stands still, or what it stands on does:
 * new text is where strokes hold still for a moment that the reader has not seen. What moves on behind is never still.
 */
export function createTextWatch({ width, height }: { width: number; height: number }, cells: CellCounts): TextWatch {
  const columns = Math.floor(width / cell);
  const rows = Math.floor(height / cell);
  const { seen } = cells;
  const findFaintCells = createFaintWatch({ width, height }, cells);
  const known = new Uint8Array(columns * rows);
  let hasSeen = false;
  let frames = 0;

  /** Share of the picture that is another than in the frame before; one pixel of 31 tells. */
  function movedShare(now: Uint8Array, one: Uint8Array): number {
    let [moved, all] = [0, 0];
    for (let at = 0; at < width * height; at += 31) {
      all += 1;
      if (isOver((now[at] as number) - (one[at] as number), strokeStep)) moved += 1;
    }
    return moved / all;
  }

  /** What changes on or right beside known letters is the picture behind them. */
  function forget(counts: Uint8Array, places: Extent[]): void {
    known.fill(0);
    for (const { left, right, top, bottom } of places) {
      const last = { row: Math.floor(bottom / cell), column: Math.floor(right / cell) };
      for (let row = Math.max(0, Math.floor(top / cell)); row <= Math.min(rows - 1, last.row); row += 1) {
        const start = row * columns;
        const from = start + Math.max(0, Math.floor(left / cell));
        const to = start + Math.min(columns, last.column + 1);
        if (from >= to) continue;
        known.fill(1, from, to);
        counts.fill(0, from * countsPerCell, to * countsPerCell);
      }
    }
  }

  function findStrips(isText: (index: number) => boolean, shortest: number): Strip[] {
    const strips: Strip[] = [];
    for (let row = 0; row < rows; row += 1) {
      let run = 0;
      let longest = 0;
      for (let column = 0; column < columns; column += 1) {
        run = isText(row * columns + column) ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      if (longest < shortest) continue;
      const [top, bottom] = [row * cell, (row + 1) * cell];
      const last = strips.at(-1);
      if (last !== undefined && top <= last.bottom) last.bottom = bottom;
      else strips.push({ top, bottom });
    }
    return strips;
  }

  function findFaint(frame: TextFrame, { one, two }: Past): Strip[] {
    frames += 1;
    if (frames % framesPerFaintLook !== 0 || one === undefined || two === undefined) return [];
    const isFaint = findFaintCells({ now: frame, one, two }, hasSeen);
    return findStrips((index) => known[index] === 0 && isFaint[index] === 1, leastFaintRun);
  }

  return {
    watch(frame, past) {
      const { one, two } = past;
      // Without a past everything is new, and counts as still.
      const sequence = { now: frame, one: one ?? frame, two: two ?? one ?? frame };
      const counts = cells.strokes(sequence, { look, steps, hasSeen });
      forget(counts, past.known);
      const countOf = (index: number, what: number) => counts[index * countsPerCell + what] as number;
      const hasStrokes = (index: number) =>
        countOf(index, counted.upright) >= leastUpright * looked &&
        countOf(index, counted.level) >= leastLevel * looked;
      const news = findStrips(hasStrokes, leastRun);
      const rowBytes = columns * countsPerCell;
      for (const { top, bottom } of news) counts.fill(0, (top / cell) * rowBytes, (bottom / cell) * rowBytes);
      let grained = 0;
      for (let index = 0; index < columns * rows; index += 1) {
        if (countOf(index, counted.grain) >= leastGrain * looked) grained += 1;
      }
      const changed = grained / (columns * rows);
      return {
        news,
        faint: findFaint(frame, past),
        isCut: movedShare(frame.yuv, (one ?? frame).yuv) > cutShare,
        changed,
      };
    },
    remember(frame, strips) {
      hasSeen = true;
      const [half, area] = [width >> 1, width * height];
      for (const { top, bottom } of strips) {
        copyRows(frame.yuv, seen, [top * width, bottom * width]);
        for (const start of [area, area * 1.25]) {
          copyRows(frame.yuv, seen, [start + (top >> 1) * half, start + (bottom >> 1) * half]);
        }
      }
    },
    release(frame, places) {
      const area = width * height;
      const colour = { width: width >> 1, height: height >> 1 };
      for (const place of places) {
        forgetPlace(frame.yuv, seen, { start: 0, width, height, place });
        const half = { left: place.left / 2, right: place.right / 2, top: place.top / 2, bottom: place.bottom / 2 };
        for (const start of [area, area * 1.25]) forgetPlace(frame.yuv, seen, { start, ...colour, place: half });
      }
    },
  };
}

/** More than so much up or down, as one comparison: this is asked a million times a frame. */
function isOver(difference: number, most: number): boolean {
  return (difference + most) >>> 0 > 2 * most;
}

/**
 * Where the frame is plain. What has strokes may be the next line, which nobody has read yet: it counts as new, also
 * where its letters lie over those that have gone.
 */
function forgetPlace(
  from: Uint8Array,
  to: Uint8Array,
  plane: { start: number; width: number; height: number; place: Extent },
): void {
  const { start, width, height, place } = plane;
  const { top, bottom, left, right } = place;
  for (let y = Math.max(1, Math.floor(top)); y < Math.min(height - 1, bottom); y += 1) {
    for (let x = Math.max(1, Math.floor(left)); x < Math.min(width - 1, right); x += 1) {
      const at = start + y * width + x;
      const value = from[at] as number;
      const across = (from[at + 1] as number) - (from[at - 1] as number);
      const down = (from[at + width] as number) - (from[at - width] as number);
      const isPlain = Math.abs(across) < plainStep && Math.abs(down) < plainStep;
      to[at] = isPlain ? value : value ^ 0x80;
    }
  }
}

function copyRows(from: Uint8Array, to: Uint8Array, [start, end]: [number, number]): void {
  to.set(from.subarray(start, end), start);
}
