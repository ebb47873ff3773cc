import type { ReadLine } from "../../models/read-line.ts";
import type { Omission } from "../evidence.ts";
import { type Extent, extentOf, unitedExtent } from "./text-extent.ts";
import { regionOf } from "./unread-lines.ts";

/** Degrees: what is level or upright within this, and what two pieces of a curve differ by. */
const leastTilt = 8;
const leastBend = 15;
/** A straight line that is tilted is read more surely than this. */
const sureConfidence = 0.9;

/** Letters along a circle come out in pieces, each tilted otherwise, and words of them as other words. */
export function omissionsOfCurves(
  lines: readonly ReadLine[],
  { width, height }: { width: number; height: number },
): Omission[] {
  const pieces = lines
    .filter(({ text, confidence }) => text !== "" && confidence < sureConfidence)
    .map(({ box }) => ({ extent: extentOf(box), tilt: tiltOf(box) }))
    .filter(({ tilt }) => Math.abs(tilt) >= leastTilt);
  const tilts = pieces.map(({ tilt }) => tilt);
  if (pieces.length < 2 || Math.max(...tilts) - Math.min(...tilts) < leastBend) return [];
  const { left, right, top, bottom } = pieces.map(({ extent }): Extent => extent).reduce(unitedExtent);
  const box: ReadLine["box"] = [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  return [{ what: "Letters along a curve were not read for certain.", region: regionOf(box, { width, height }) }];
}

/** In degrees from the nearer of level and upright, -45 to 45. */
function tiltOf([from, to]: ReadLine["box"]): number {
  const degrees = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return degrees - 90 * Math.round(degrees / 90);
}
