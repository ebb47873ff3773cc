import type { Box } from "../../models/read-line.ts";
import { cropLine, gridOf, type LineGrid } from "../../models/ocr/crop-line.ts";
import { boxOf, frameOf } from "../../models/ocr/line-frame.ts";
import { findInk, type LineInk } from "../../models/ocr/line-ink.ts";
import { distanceToMask } from "../../models/ocr/mask-distance.ts";
import type { PlanarFormat } from "../evidence.ts";
import type { Raster } from "../pixels/raster.ts";
import { everyFourth, levels, type LinePoints, linePoints, type Sampling, takeLevels } from "./line-points.ts";
import type { TextFrame, Window } from "./text-frames.ts";

/** Places on the letters of a line and right beside them, by which it is found again. */
export type Template = {
  ink: LinePoints;
  ground: LinePoints;
  /** Nearer than the ground, where a thin outline would be; empty where the ground is one. */
  rim: LinePoints;
  /** Which plane tells the letters best: brightness, or one of the two colours. */
  plane: 0 | 1 | 2;
  /** The values of the letters and of what is behind them in that plane. */
  inkLevel: number;
  groundLevel: number;
  /** Where the letters themselves begin and end. */
  extent: { left: number; right: number; top: number; bottom: number };
};

/**
 * A line cut out of the picture, level, with some of what is above and below it. `grid` says where in the picture, and
 * `rows` which of its rows the reader took for the line: beyond them may be the next one.
 */
export type LineCut = { line: Raster; ink: LineInk; grid: LineGrid; rows: { from: number; to: number } };

const maxPoints = 500;
const leastPoints = 24;
/** Pixels from a letter: nearer is its soft edge, further is not behind it any more. */
const groundDistance = { from: 3, to: 6 };
const rimDistance = 2;
/** A colour tells better than brightness only when brightness hardly tells. */
const leastBrightStep = 14;

/** Cuts a line out of a part of the picture and tells its letters from what is behind them. */
export function cutLine(part: Raster, window: Window, read: Box): LineCut | null {
  const box = heighten(read);
  const grid = gridOf(box);
  const line = cropLine(part, box.map(({ x, y }) => ({ x: x - window.x, y: y - window.y })) as Box);
  const ink = line === null ? null : findInk(line);
  if (line === null || ink === null || grid === null) return null;
  const margin = Math.round((heightenBy / (1 + 2 * heightenBy)) * line.height);
  return { line, ink, grid, rows: { from: margin, to: line.height - margin } };
}

/** Boxes of large letters hardly reach past them: of their height, above and below. */
const heightenBy = 0.15;

export function heighten(box: Box): Box {
  const frame = frameOf(box);
  const margin = heightenBy * (frame.bottom - frame.top);
  return boxOf({ ...frame, top: frame.top - margin, bottom: frame.bottom + margin });
}

/** Null: too few places to go by. */
export function makeTemplate(cut: LineCut, frame: TextFrame, format: PlanarFormat): Template | null {
  const { ink } = cut;
  const inkPlaces = spread(placesOf(cut, (index) => ink.mask[index] === 1 && (ink.coverage[index] as number) > 200));
  const groundPlaces = spread(groundPlacesOf(cut));
  const toPicture = (places: number[]) => placesInPicture(places, cut, format);
  const template = {
    ink: toPicture(inkPlaces),
    ground: toPicture(groundPlaces),
    rim: toPicture(spread(rimPlacesOf(cut))),
  };
  if (template.ink.xy.length < 2 * leastPoints || template.ground.xy.length < 2 * leastPoints) return null;
  const means = ([0, 1, 2] as const).map((plane) => {
    const look = { frame, format, plane, origin: { x: 0, y: 0 }, scale: 1 };
    return { plane, ink: meanAt(template.ink, look), ground: meanAt(template.ground, look) };
  });
  const step = (plane: number) => Math.abs((means[plane]?.ink ?? 0) - (means[plane]?.ground ?? 0));
  const colour = step(1) > step(2) ? 1 : 2;
  const best = step(0) >= leastBrightStep || step(0) > step(colour) ? 0 : colour;
  const { left, right, top, bottom } = template.ink.extent;
  const extent = { left, right: right + 1, top, bottom: bottom + 1 };
  const { ink: inkLevel = 0, ground: groundLevel = 0 } = means[best] ?? {};
  return { ...template, plane: best, inkLevel, groundLevel, extent };
}

/** One with a quarter of the points, to look at many places; null: it has too few of them. */
export function roughTemplate(template: Template): Template | null {
  const [ink, ground] = [template.ink, template.ground].map(everyFourth) as [LinePoints, LinePoints];
  return Math.min(ink.xy.length, ground.xy.length) < 2 * leastPoints ? null : { ...template, ink, ground };
}

/** How a template lies on a frame. */
export type Look = {
  /** How well light and dark fall on letters and beside them, -1 to 1. About 0 where other things are. */
  match: number;
  /** Mean levels in the template's plane. */
  ink: number;
  ground: number;
  /** Share of the template that is in the picture. */
  inside: number;
};

/** Pixels that a template is moved by, and how much larger it is around its middle. */
export type Place = { dx: number; dy: number; scale: number };

export const home: Place = { dx: 0, dy: 0, scale: 1 };

export function lookAt(template: Template, frame: TextFrame, format: PlanarFormat, place: Place): Look {
  const { plane } = template;
  const sampling = { frame, format, plane, origin: originOf(template, place), scale: place.scale };
  const ink = sumAt(template.ink, sampling);
  const ground = sumAt(template.ground, sampling);
  const count = ink.count + ground.count;
  const inside = (2 * count) / (template.ink.xy.length + template.ground.xy.length);
  if (ink.count < leastPoints || ground.count < leastPoints) return { match: 0, ink: 0, ground: 0, inside };
  const [inkMean, groundMean] = [ink.sum / ink.count, ground.sum / ground.count];
  const mean = (ink.sum + ground.sum) / count;
  const variance = (ink.squares + ground.squares) / count - mean * mean;
  const balance = Math.sqrt((ink.count / count) * (ground.count / count));
  // Nothing but the noise of compression must not match anything.
  const sign = template.inkLevel > template.groundLevel ? 1 : -1;
  const match = (sign * (inkMean - groundMean) * balance) / Math.sqrt(Math.max(variance, 4));
  return { match, ink: inkMean, ground: groundMean, inside };
}

/** Where the picture's own corner comes to lie when a template is at a place. */
export function originOf({ extent }: Pick<Template, "extent">, { dx, dy, scale }: Place): { x: number; y: number } {
  return {
    x: dx + ((extent.left + extent.right) / 2) * (1 - scale),
    y: dy + ((extent.top + extent.bottom) / 2) * (1 - scale),
  };
}

function meanAt(points: LinePoints, sampling: Sampling): number {
  const { sum, count } = sumAt(points, sampling);
  return count === 0 ? 0 : sum / count;
}

function sumAt(points: LinePoints, sampling: Sampling): { sum: number; squares: number; count: number } {
  const count = takeLevels(points, sampling);
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < count; index += 1) {
    const level = levels[index] as number;
    sum += level;
    squares += level * level;
  }
  return { sum, squares, count };
}

/** In the rows of the line itself. */
export function placesOf({ ink, rows }: LineCut, isTaken: (index: number) => boolean): number[] {
  const places: number[] = [];
  for (let index = rows.from * ink.width; index < rows.to * ink.width; index += 1) {
    if (isTaken(index)) places.push(index);
  }
  return places;
}

/** What the letters are seen against: their own edge, or what is right behind them. */
export function groundPlacesOf(cut: LineCut): number[] {
  const { ink } = cut;
  if (ink.edge !== null) return placesOf(cut, (index) => ink.edge?.[index] === 1);
  const distance = distanceToMask(ink, groundDistance.to + 1);
  return placesOf(cut, (index) => {
    const away = distance[index] as number;
    return away >= groundDistance.from && away <= groundDistance.to;
  });
}

function rimPlacesOf(cut: LineCut): number[] {
  if (cut.ink.edge !== null) return [];
  const distance = distanceToMask(cut.ink, rimDistance + 1);
  return placesOf(cut, (index) => distance[index] === rimDistance);
}

/** At most so many, from all over the line. */
function spread(places: number[]): number[] {
  if (places.length <= maxPoints) return places;
  const step = places.length / maxPoints;
  return Array.from({ length: maxPoints }, (_, index) => places[Math.floor(index * step)] ?? 0);
}

export function placesInPicture(places: number[], { ink, grid }: LineCut, format: PlanarFormat): LinePoints {
  const { corner, along, across } = grid;
  const points: number[] = [];
  for (const place of places) {
    const right = ((place % ink.width) + 0.5) / ink.width;
    const down = (Math.floor(place / ink.width) + 0.5) / ink.height;
    const x = Math.floor(corner.x + right * along.x + down * across.x);
    const y = Math.floor(corner.y + right * along.y + down * across.y);
    if (x >= 0 && y >= 0 && x < format.width && y < format.height) points.push(x, y);
  }
  return linePoints(points);
}
