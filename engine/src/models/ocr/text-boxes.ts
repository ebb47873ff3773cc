import type { Box, Point } from "../read-line.ts";
import { boxOf } from "./line-frame.ts";

const pixelThreshold = 0.3;
const boxThreshold = 0.6;
const leastPixels = 20;
const leastSide = 3;
/** The model marks the inside of a line only: its box grows by this much of its area over its circumference. */
const growth = 1.6;
/** A point or comma at the end is marked least: in heights of the line. */
const endGrowth = 0.12;

/** The boxes around what a map of likelihoods marks as text, in pixels of the map. */
export function boxesOf(map: { width: number; height: number; likelihoods: Float32Array }): Box[] {
  const { width, height, likelihoods } = map;
  const isTaken = new Uint8Array(width * height);
  const boxes: Box[] = [];
  for (let start = 0; start < likelihoods.length; start += 1) {
    if (isTaken[start] === 1 || (likelihoods[start] as number) <= pixelThreshold) continue;
    const blob = flood(map, isTaken, start);
    if (blob.count < leastPixels || blob.sum / blob.count < boxThreshold) continue;
    const rectangle = leastRectangle(convexHull(blob.rows, blob.top));
    if (Math.min(rectangle.width, rectangle.height) < leastSide) continue;
    boxes.push(grow(rectangle));
  }
  return boxes;
}

/** The extent of a blob of marked pixels in each of its rows. */
type Blob = { count: number; sum: number; top: number; rows: { left: number; right: number }[] };

function flood(
  { width, height, likelihoods }: { width: number; height: number; likelihoods: Float32Array },
  isTaken: Uint8Array,
  start: number,
): Blob {
  const waiting = [start];
  isTaken[start] = 1;
  const rows = new Map<number, { left: number; right: number }>();
  let count = 0;
  let sum = 0;
  const visit = (index: number) => {
    if (isTaken[index] === 1 || (likelihoods[index] as number) <= pixelThreshold) return;
    isTaken[index] = 1;
    waiting.push(index);
  };
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const x = index % width;
    const y = (index - x) / width;
    count += 1;
    sum += likelihoods[index] as number;
    const row = rows.get(y);
    if (row === undefined) rows.set(y, { left: x, right: x });
    else {
      row.left = Math.min(row.left, x);
      row.right = Math.max(row.right, x);
    }
    if (x > 0) visit(index - 1);
    if (x < width - 1) visit(index + 1);
    if (y > 0) visit(index - width);
    if (y < height - 1) visit(index + width);
  }
  const top = Math.min(...rows.keys());
  const sorted = Array.from({ length: rows.size }, (_, index) => rows.get(top + index) ?? { left: 0, right: 0 });
  return { count, sum, top, rows: sorted };
}

/** Andrew's monotone chain, down the left and up the right side. */
function convexHull(rows: Blob["rows"], top: number): Point[] {
  const points = rows
    .flatMap(({ left, right }, index) => [
      { x: left, y: top + index },
      { x: right + 1, y: top + index },
      { x: left, y: top + index + 1 },
      { x: right + 1, y: top + index + 1 },
    ])
    .toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (sorted: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of sorted) {
      for (;;) {
        const [before, last] = [chain.at(-2), chain.at(-1)];
        if (before === undefined || last === undefined || turn(before, last, point) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(points), ...half(points.toReversed())];
}

function turn(origin: Point, a: Point, b: Point): number {
  return (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);
}

/** A rectangle by its direction and its extent along it and across. */
type Rectangle = { direction: Point; left: number; top: number; width: number; height: number };

/** The rectangle of least area around a hull; one of its sides lies on one of the hull's. */
function leastRectangle(hull: Point[]): Rectangle {
  let best: Rectangle | undefined;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length === 0) continue;
    const candidate = extentAlong(hull, { x: (to.x - from.x) / length, y: (to.y - from.y) / length });
    if (best === undefined || candidate.width * candidate.height < best.width * best.height) best = candidate;
  }
  return best ?? { direction: { x: 1, y: 0 }, left: 0, top: 0, width: 0, height: 0 };
}

/** Text runs from left to right: of the four ways to see the rectangle the one that is turned least. */
function extentAlong(hull: Point[], side: Point): Rectangle {
  let direction = side;
  if (Math.abs(direction.x) < Math.abs(direction.y)) direction = { x: -direction.y, y: direction.x };
  if (direction.x < 0) direction = { x: -direction.x, y: -direction.y };
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of hull) {
    const along = x * direction.x + y * direction.y;
    const across = y * direction.x - x * direction.y;
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
  }
  return { direction, left, top, width: right - left, height: bottom - top };
}

function grow({ direction, left, top, width, height }: Rectangle): Box {
  const margin = (width * height * growth) / (2 * (width + height));
  const ends = margin + endGrowth * (height + 2 * margin);
  return boxOf({
    direction,
    left: left - ends,
    right: left + width + ends,
    top: top - margin,
    bottom: top + height + margin,
  });
}
