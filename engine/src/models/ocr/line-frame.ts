import type { Box, Point } from "../read-line.ts";

/** A box by its direction and its extent along and across it. */
export type LineFrame = { direction: Point; left: number; right: number; top: number; bottom: number };

/** The extent of a box along its own direction, or along another one. */
export function frameOf(box: Box, direction: Point = directionOf(box)): LineFrame {
  const along = box.map(({ x, y }) => x * direction.x + y * direction.y);
  const across = box.map(({ x, y }) => y * direction.x - x * direction.y);
  return {
    direction,
    left: Math.min(...along),
    right: Math.max(...along),
    top: Math.min(...across),
    bottom: Math.max(...across),
  };
}

export function boxOf({ direction, left, right, top, bottom }: LineFrame): Box {
  const at = (along: number, across: number): Point => ({
    x: along * direction.x - across * direction.y,
    y: along * direction.y + across * direction.x,
  });
  return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
}

function directionOf([corner, right]: Box): Point {
  const length = Math.hypot(right.x - corner.x, right.y - corner.y);
  return length === 0 ? { x: 1, y: 0 } : { x: (right.x - corner.x) / length, y: (right.y - corner.y) / length };
}
