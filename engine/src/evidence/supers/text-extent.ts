import { frameOf } from "../../models/ocr/line-frame.ts";
import type { Box } from "../../models/read-line.ts";

/** The upright rectangle around something, in pixels. */
export type Extent = { left: number; right: number; top: number; bottom: number };

export function extentOf(box: Box): Extent {
  const [xs, ys] = [box.map(({ x }) => x), box.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

export function unitedExtent(one: Extent, other: Extent): Extent {
  return {
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

/** The same of two boxes, seen along the longer one: lines that run askew lie over each other's rectangles. */
export function overlapOfBoxes(one: Box, other: Box): number {
  const [own, others] = [frameOf(one), frameOf(other)];
  const { direction } = own.right - own.left >= others.right - others.left ? own : others;
  return overlapOf(frameOf(one, direction), frameOf(other, direction));
}

export function shiftBox(box: Box, { x, y }: { x: number; y: number }): Box {
  return box.map((point) => ({ x: point.x + x, y: point.y + y })) as Box;
}

/** What two have in common, as a share of the smaller one. */
export function overlapOf(one: Extent, other: Extent): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  if (width <= 0 || height <= 0) return 0;
  const area = ({ left, right, top, bottom }: Extent) => (right - left) * (bottom - top);
  return (width * height) / Math.max(1, Math.min(area(one), area(other)));
}
