import type { Box, Point, ReadLine } from "../../models/read-line.ts";
import type { DrawnChange } from "./text-slices.ts";

/** A part of a line, from where to where along it, 0 to 1. */
export type LinePart = { from: number; to: number };

/** Of the line: to read more of it than this twice costs more than to read all of it once. */
const widestShare = 0.5;

/** The words whose letters seem to have changed; null where they are most of the line, or cannot be told from the others. */
export function changedWords(line: ReadLine, changes: readonly DrawnChange[]): LinePart | null {
  if (line.isTurnedOver === true || changes.length === 0) return null;
  // The next letter may be pushed along.
  const from = Math.min(...changes.map((change) => 2 * change.from - change.to));
  const to = Math.max(...changes.map((change) => 2 * change.to - change.from));
  const spaces = line.letters.filter((_, index) => line.text[index] === " ");
  const part = {
    from: Math.max(0, ...spaces.filter((space) => space <= from)),
    to: Math.min(1, ...spaces.filter((space) => space >= to)),
  };
  return part.to - part.from <= widestShare ? part : null;
}

/** Where a part of a line stands. */
export function boxOfPart([topLeft, topRight, bottomRight, bottomLeft]: Box, { from, to }: LinePart): Box {
  return [
    between(topLeft, topRight, from),
    between(topLeft, topRight, to),
    between(bottomLeft, bottomRight, to),
    between(bottomLeft, bottomRight, from),
  ];
}

function between(one: Point, other: Point, share: number): Point {
  return { x: one.x + share * (other.x - one.x), y: one.y + share * (other.y - one.y) };
}
