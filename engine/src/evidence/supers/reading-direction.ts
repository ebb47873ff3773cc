import type { ReadLine } from "../../models/read-line.ts";
import type { Region } from "../evidence.ts";

/** Which way a line runs in the picture. */
export type Direction = "right" | "left" | "up" | "down";

/** A box this much higher than wide is read from the bottom up. */
const uprightRatio = 1.5;

/** Lines by the way they run, level ones first: those of a page that lies on its side follow each other across the picture. */
export function groupByDirection<Item>(
  items: readonly Item[],
  lineOf: (item: Item) => ReadLine,
): [Direction, Item[]][] {
  const groups = Map.groupBy(items, (item) => directionOf(lineOf(item)));
  return (["right", "up", "down", "left"] as const).flatMap((direction): [Direction, Item[]][] => {
    const group = groups.get(direction);
    return group === undefined ? [] : [[direction, group]];
  });
}

function directionOf({ box: [corner, right, , down], isTurnedOver = false }: ReadLine): Direction {
  const along = { x: right.x - corner.x, y: right.y - corner.y };
  const across = { x: corner.x - down.x, y: corner.y - down.y };
  const isHigh = Math.hypot(across.x, across.y) > uprightRatio * Math.hypot(along.x, along.y);
  const { x, y } = isHigh ? across : along;
  const sign = isTurnedOver ? -1 : 1;
  if (Math.abs(y) > Math.abs(x)) return sign * y > 0 ? "down" : "up";
  return sign * x >= 0 ? "right" : "left";
}

/** Where a place is when the picture is turned so that its lines run to the right. */
export function turnUpright({ x, y, width, height }: Region, direction: Direction): Region {
  if (direction === "up") return { x: 1 - y - height, y: x, width: height, height: width };
  if (direction === "down") return { x: y, y: 1 - x - width, width: height, height: width };
  if (direction === "left") return { x: 1 - x - width, y: 1 - y - height, width, height };
  return { x, y, width, height };
}

const opposite = { up: "down", down: "up", left: "left", right: "right" } as const;

/** And back to where it is in the picture. */
export function turnBack(region: Region, direction: Direction): Region {
  const { x, y, width, height } = turnUpright(region, opposite[direction]);
  const four = (value: number) => Number(Math.max(0, value).toFixed(4));
  return { x: four(x), y: four(y), width: four(width), height: four(height) };
}
