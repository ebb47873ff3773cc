import { cell, countsPerCell, openCellKernels } from "./cell-kernels.ts";
import type { TextFrame } from "./text-frames.ts";

/** Levels of 255. A stroke differs from what is around it by so much or more, and what is new from what the reader saw; what is still or flat by so much or less. */
export type StrokeSteps = { stroke: number; other: number; still: number; flat: number };

/** Which pixels of a cell are looked at. */
export type Look = {
  isColour: boolean;
  /** One row of so many, from the first one of the picture that has enough above it to the last but so many. */
  rowStep: number;
  firstRow: number;
  lastRows: number;
  /** One pixel of so many of a row; of the first cell not its first ones, and of the last cell not its last one. */
  step: number;
  firstColumn: number;
};

/** The frame and the two before it. */
export type Sequence = { now: TextFrame; one: TextFrame; two: TextFrame };

/** Four for each cell, row by row. */
export type Counts = Uint8Array;
/** Where they stand: strokes down and across that are new and stand still; strokes that are new, still or not; what has no stroke at all. */
export const counted = { upright: 0, level: 1, grain: 2, flat: 3 } as const;

export type CellCounts = {
  /** What the reader saw last, laid out as a frame. */
  seen: Uint8Array;
  /** Valid until the next call. `hasSeen`: otherwise everything is new. */
  strokes: (sequence: Sequence, how: { look: Look; steps: StrokeSteps; hasSeen: boolean }) => Counts;
  /** How many of the pixels looked at, one of four (`changedStep`) in every fourth row, differ by more than `step`; one for each cell. */
  changed: (now: TextFrame, before: TextFrame, step: number) => Counts;
};

/** The frames of a sequence. */
const slotCount = 3;
const pageBytes = 65_536;
const lanesBytes = 16;
export const changedStep = 4;

/**
 * Counts what looks like letters in each cell of a picture, sixteen pixels at a time: in JavaScript, one by one, it took
 * a twentieth of the whole analysis. The kernels are WebAssembly.
 */
export function createCellCounts({ width, height }: { width: number; height: number }): CellCounts {
  const columns = Math.floor(width / cell);
  const rows = Math.floor(height / cell);
  const frameBytes = width * height * 1.5;
  const countBytes = columns * rows * countsPerCell;
  const lanesAt = 0;
  const countsAt = 3 * lanesBytes;
  const seenAt = countsAt + countBytes;
  const slotAt = (slot: number) => seenAt + (slot + 1) * frameBytes;
  // What is loaded beyond the last pixel counts nothing, but must be there.
  const memory = new WebAssembly.Memory({ initial: Math.ceil((slotAt(slotCount) + cell) / pageBytes) });
  const { light, colour, changed } = openCellKernels(memory);
  const slots: (TextFrame | null)[] = Array.from({ length: slotCount }, () => null);
  const all = new Uint8Array(memory.buffer);
  const counts = all.subarray(countsAt, seenAt);

  /** Where the frames stand in the memory; those that do not yet take the place of the oldest. */
  function place(...frames: TextFrame[]): number[] {
    return frames.map((frame) => {
      const known = slots.indexOf(frame);
      if (known >= 0) return slotAt(known);
      const free = slots
        .map((kept, slot) => ({
          slot,
          seconds: kept?.seconds ?? -Infinity,
          isWanted: kept !== null && frames.includes(kept),
        }))
        .filter(({ isWanted }) => !isWanted)
        .reduce((oldest, each) => (each.seconds < oldest.seconds ? each : oldest));
      slots[free.slot] = frame;
      all.set(frame.yuv, slotAt(free.slot));
      return slotAt(free.slot);
    });
  }

  /** Sets the bytes of the lanes that are looked at in the first cell, in those between, and in the last. */
  function setLanes({ step, firstColumn, size }: { step: number; firstColumn: number; size: number }): void {
    for (let lane = 0; lane < lanesBytes; lane += 1) {
      const isLooked = lane < size && lane % step === 0;
      const isIn = [lane >= firstColumn && (columns > 1 || lane < size - step), true, lane < size - step];
      for (const [which, is] of isIn.entries()) all[lanesAt + which * lanesBytes + lane] = isLooked && is ? 255 : 0;
    }
  }

  /** The cells of a row that look at the same lanes: the first, those between, the last. */
  const stretches = [
    { lanes: lanesAt, from: 0, count: Math.min(1, columns) },
    { lanes: lanesAt + lanesBytes, from: 1, count: columns - 2 },
    { lanes: lanesAt + 2 * lanesBytes, from: columns - 1, count: columns > 1 ? 1 : 0 },
  ].filter(({ count }) => count > 0);

  return {
    seen: all.subarray(seenAt, seenAt + frameBytes),
    strokes({ now, one, two }, { look, steps, hasSeen }) {
      const [nowAt = 0, oneAt = 0, twoAt = 0] = place(now, one, two);
      const { isColour, rowStep, firstRow, lastRows, step, firstColumn } = look;
      const shift = isColour ? 1 : 0;
      const size = cell >> shift;
      const rowLength = width >> shift;
      const planeStart = isColour ? width * height : 0;
      const toOtherColour = (width * height) >> 2;
      const kernel = isColour ? colour : light;
      setLanes({ step, firstColumn, size });
      counts.fill(0);
      for (let row = 0; row < rows; row += 1) {
        const first = Math.max(firstRow, row * size);
        const end = Math.min((row + 1) * size, rows * size - lastRows);
        const looked = Math.ceil((end - first) / rowStep);
        if (looked < 1) continue;
        for (const { lanes, from, count } of stretches) {
          const start = planeStart + first * rowLength + from * size;
          kernel(
            nowAt + start,
            oneAt + start,
            twoAt + start,
            seenAt + start,
            rowLength,
            toOtherColour,
            rowStep * rowLength,
            looked,
            count,
            lanes,
            countsAt + (row * columns + from) * countsPerCell,
            steps.stroke,
            hasSeen ? steps.other : 0,
            steps.still,
            steps.flat,
          );
        }
      }
      return counts;
    },
    changed(now, before, step) {
      const [here = 0, there = 0] = place(now, before);
      setLanes({ step: changedStep, firstColumn: 0, size: cell });
      for (let row = 0; row < (columns > 0 ? rows : 0); row += 1) {
        const start = row * cell * width;
        changed(
          here + start,
          there + start,
          changedStep * width,
          cell / changedStep,
          columns,
          lanesAt + lanesBytes,
          countsAt + row * columns,
          step + 1,
        );
      }
      return counts.subarray(0, columns * rows);
    },
  };
}
