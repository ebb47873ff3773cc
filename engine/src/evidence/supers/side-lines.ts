import type { ReadLine } from "../../models/read-line.ts";
import type { Raster } from "../pixels/raster.ts";
import { extentOf, overlapOfBoxes } from "./text-extent.ts";
import { readTurned } from "./turned-picture.ts";

/** Pixels. */
const cell = 16;
/** Levels of 255 that a stroke differs from what is beside it, and how many strokes a cell of letters has. */
const strokeStep = 24;
const leastStrokes = 4;
/** Cells: a line that runs up is so long and so wide, and plain on both sides. */
const leastLength = 6;
const widest = 4;
/** A reading of what is no text is unsure or short. */
const sureConfidence = 0.85;
const leastLetters = 4;
/** Of the smaller of two boxes: the same letters. */
const samePlace = 0.3;

/** Lines that run up or down beside upright ones, which the reader overlooks: small print at the edge of a picture. */
export async function readSideLines(
  picture: Raster,
  known: readonly ReadLine[],
  read: (picture: Raster) => Promise<ReadLine[]>,
): Promise<ReadLine[]> {
  if (!mayHaveSideLines(picture, known)) return [];
  const isNew = ({ box }: ReadLine) => known.every((line) => overlapOfBoxes(line.box, box) < samePlace);
  const isSure = ({ text, confidence }: ReadLine) =>
    confidence >= sureConfidence && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= leastLetters;
  return (await readTurned(picture, read)).filter((line) => isNew(line) && isSure(line));
}

/** Whether there is a long narrow band of strokes that is no known line: looking costs as much as reading the picture. */
function mayHaveSideLines(picture: Raster, known: readonly ReadLine[]): boolean {
  const [columns, rows] = [Math.floor(picture.width / cell), Math.floor(picture.height / cell)];
  const hasStrokes = strokesOf(picture, { columns, rows });
  for (const { box } of known) {
    const { left, right, top, bottom } = extentOf(box);
    for (let row = Math.max(0, Math.floor(top / cell)); row <= Math.min(rows - 1, bottom / cell); row += 1) {
      const start = row * columns;
      hasStrokes.fill(0, start + Math.max(0, Math.floor(left / cell)), start + Math.min(columns, right / cell + 1));
    }
  }
  const isStroke = (column: number, row: number) =>
    column >= 0 && column < columns && hasStrokes[row * columns + column] === 1;
  for (let from = 0; from < columns; from += 1) {
    for (let width = 1; width <= widest; width += 1) {
      let run = 0;
      let gap = 0;
      for (let row = 0; row < rows; row += 1) {
        const inside = Array.from({ length: width }, (_, index) => isStroke(from + index, row));
        const isBand = inside.some(Boolean);
        const isPlainBeside = !isStroke(from - 1, row) && !isStroke(from + width, row);
        if (isBand && isPlainBeside) [run, gap] = [run + 1, 0];
        else if (isPlainBeside && gap === 0 && run > 0) gap = 1;
        else [run, gap] = [0, 0];
        if (run >= leastLength) return true;
      }
    }
  }
  return false;
}

/** Cells that have as many strokes as letters have, both down and across. */
function strokesOf({ width, pixels }: Raster, { columns, rows }: { columns: number; rows: number }): Uint8Array {
  const found = new Uint8Array(columns * rows);
  const at = (x: number, y: number) => pixels[(y * width + x) * 3 + 1] as number;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      let [upright, level] = [0, 0];
      for (let y = row * cell; y < (row + 1) * cell - 2; y += 2) {
        for (let x = column * cell; x < (column + 1) * cell - 2; x += 2) {
          const value = at(x, y);
          if (Math.abs(at(x + 2, y) - value) > strokeStep) upright += 1;
          if (Math.abs(at(x, y + 2) - value) > strokeStep) level += 1;
        }
      }
      if (upright >= leastStrokes && level >= leastStrokes) found[row * columns + column] = 1;
    }
  }
  return found;
}
