import { type CellCounts, counted, type Look, type Sequence } from "./cell-counts.ts";
import { cell, countsPerCell } from "./cell-kernels.ts";

/** In a cell: of brightness every second pixel of every fourth row, of colour every pixel of every second row. */
const looked = (cell / 2) * (cell / 4);
const light: Look = { isColour: false, rowStep: 4, firstRow: 4, lastRows: 2, step: 2, firstColumn: 4 };
const colour: Look = { isColour: true, rowStep: 2, firstRow: 2, lastRows: 1, step: 1, firstColumn: 2 };
/**
 * Levels of brightness: ten of 255 in a picture are eight in a film, and compression takes some. Levels of both colours
 * together. What is flat: the soft slopes of a picture out of focus are steeper.
 */
const kinds = [
  { look: light, steps: { stroke: 6, still: 3, other: 4, flat: 2 } },
  { look: colour, steps: { stroke: 12, still: 6, other: 8, flat: 3 } },
] as const;
/** Of what is looked at. Letters have strokes down and across, and a plain ground between them: texture has none. */
const leastUpright = 0.07;
const leastLevel = 0.03;
const leastFlat = 0.3;

/**
 * Finds letters that the watch for strokes cannot see: fainter than it looks for, or as bright as their ground and only
 * of another colour. Twice as costly a frame, so it looks at few of them. Answers with 1 for each cell that looks like
 * faint letters that stand still and are new; `hasSeen`: the reader has seen a frame before.
 */
export function createFaintWatch(
  { width, height }: { width: number; height: number },
  cells: CellCounts,
): (sequence: Sequence, hasSeen: boolean) => Uint8Array {
  const isFaint = new Uint8Array(Math.floor(width / cell) * Math.floor(height / cell));
  return (sequence, hasSeen) => {
    isFaint.fill(0);
    for (const kind of kinds) {
      const counts = cells.strokes(sequence, { ...kind, hasSeen });
      for (let index = 0, at = 0; index < isFaint.length; index += 1, at += countsPerCell) {
        if (
          (counts[at + counted.upright] as number) >= leastUpright * looked &&
          (counts[at + counted.level] as number) >= leastLevel * looked &&
          (counts[at + counted.flat] as number) >= leastFlat * looked
        )
          isFaint[index] = 1;
      }
    }
    return isFaint;
  };
}
