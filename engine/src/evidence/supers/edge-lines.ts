import type { ReadLine } from "../../models/read-line.ts";
import { type Extent, extentOf, overlapOf } from "./text-extent.ts";
import type { Strip } from "./text-watch.ts";

/** Pixels from the edge of the picture: letters that come so near are cut. */
export const nearEdge = 3;

/** A line at the upper or lower edge is on its way in, unless it was there at the last look too. */
export function isComing(
  { box }: ReadLine,
  { format, cut }: { format: { height: number }; cut: readonly Extent[] },
): boolean {
  const own = extentOf(box);
  const isAtEdge = own.top < nearEdge || own.bottom > format.height - nearEdge;
  return isAtEdge && cut.every((other) => Math.abs(other.top - own.top) > nearEdge || overlapOf(other, own) < 0.8);
}

/** What was cut is looked at again. */
export function withoutCut({ top, bottom }: Strip, cut: Extent[]): Strip {
  const upper = cut.filter((line) => line.top < nearEdge).map((line) => Math.ceil(line.bottom));
  const lower = cut.filter((line) => line.top >= nearEdge).map((line) => Math.floor(line.top));
  const from = Math.max(top, ...upper);
  return { top: from, bottom: Math.max(from, Math.min(bottom, ...lower)) };
}
