import type { Box } from "../read-line.ts";
import { isOnItsSide } from "./crop-line.ts";
import { boxOf, frameOf, type LineFrame } from "./line-frame.ts";

/** In heights of the lower box, which is about an em: justified print has no wider gaps, columns have. */
const widestGap = 1;
const maxTurn = Math.sin((4 * Math.PI) / 180);
/** A short word with a letter that hangs below it seems to be slanted: in heights, and how much. */
const shortWord = 4;
const maxTurnOfShort = Math.sin((9 * Math.PI) / 180);

/**
 * Puts the pieces of a line together, from the top down: the detector breaks lines at wide gaps between words. Done
 * before reading, so that no letter at the edge of two pieces is read twice.
 */
export function joinBoxes(pieces: Box[]): Box[] {
  // Lines that lie on their side stand next to each other as words do.
  const boxes: Box[] = pieces.filter(isOnItsSide);
  const level = pieces.filter((piece) => !isOnItsSide(piece));
  for (const piece of level.toSorted((a, b) => a[0].x - b[0].x)) {
    const index = boxes.findIndex((box) => !isOnItsSide(box) && isContinuedBy(box, piece));
    const box = boxes[index];
    if (box === undefined) boxes.push(piece);
    else boxes[index] = unite(box, piece);
  }
  return boxes.toSorted((a, b) => a[0].y - b[0].y || a[0].x - b[0].x);
}

function isContinuedBy(box: Box, piece: Box): boolean {
  const [first, own] = [frameOf(box), frameOf(piece)];
  const turn = first.direction.x * own.direction.y - first.direction.y * own.direction.x;
  const isShort = [first, own].some((frame) => frame.right - frame.left < shortWord * heightOf(frame));
  if (Math.abs(turn) > (isShort ? maxTurnOfShort : maxTurn)) return false;
  const { direction } = first.right - first.left >= own.right - own.left ? first : own;
  return isBeside(frameOf(box, direction), frameOf(piece, direction));
}

function isBeside(first: LineFrame, second: LineFrame): boolean {
  const [height, pieceHeight] = [heightOf(first), heightOf(second)];
  const lower = Math.min(height, pieceHeight);
  const offset = Math.abs((first.top + first.bottom) / 2 - (second.top + second.bottom) / 2);
  const gap = second.left - first.right;
  return Math.max(height, pieceHeight) < 1.5 * lower && offset < 0.3 * lower && Math.abs(gap) < widestGap * lower;
}

function unite(box: Box, piece: Box): Box {
  const [own, other] = [frameOf(box), frameOf(piece)];
  const { direction } = own.right - own.left >= other.right - other.left ? own : other;
  const [first, second] = [frameOf(box, direction), frameOf(piece, direction)];
  return boxOf({
    direction,
    left: Math.min(first.left, second.left),
    right: Math.max(first.right, second.right),
    top: Math.min(first.top, second.top),
    bottom: Math.max(first.bottom, second.bottom),
  });
}

function heightOf({ top, bottom }: LineFrame): number {
  return bottom - top;
}
