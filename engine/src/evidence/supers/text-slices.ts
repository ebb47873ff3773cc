import type { PlanarFormat } from "../evidence.ts";
import { levels, type LinePoints, takeLevels } from "./line-points.ts";
import type { TextFrame } from "./text-frames.ts";
import { type LineCut, originOf, type Place, placesInPicture, placesOf, type Template } from "./text-template.ts";

/** A cell of a line, about half a letter wide and a third of it high: where it is ink and where it is not. */
type Slice = {
  ink: LinePoints;
  blank: LinePoints;
  /** Where it lies along the line, 0 to 1. */
  from: number;
  to: number;
  /** What looked wrong when the slices were taken: soft edges, and what is behind thin letters. */
  usual: Wrong;
};

type Wrong = { lost: number; gained: number };

export type LineSlices = Slice[];

/** A place along the line where letters are drawn otherwise, 0 to 1, and how much of it. */
export type SliceChange = { cell: number; from: number; to: number; strength: number; hasGained: boolean };

/** A place of a line that is drawn otherwise than when it was read, for some frames now. */
export type DrawnChange = SliceChange & {
  /** The first frame that shows it so, and the last one before that does not. */
  seconds: number;
  beforeSeconds: number;
  frames: number;
};

/** In heights of the line, which is about one and a half capitals. */
const sliceWidth = 0.3;
const cellRows = 3;
const maxPoints = 40;
const leastPoints = 5;
/** Of the step from the ground to the letters: ink that has gone, and ground that has become ink. */
const lostFrom = 0.55;
const gainedWithin = 0.3;
/** Of the ink and of the blank of a cell together: what compression changes in what stands still. */
const leastWrong = 0.06;
const leastGained = 0.1;
const leastStep = 7;

/** Cuts the letters of a line into cells, so that one stroke that changes is noticed among many that do not. */
export function sliceLine(
  cut: LineCut,
  sight: { template: Template; frame: TextFrame; format: PlanarFormat },
): LineSlices {
  const { ink, rows } = cut;
  const width = Math.max(4, Math.round(sliceWidth * (rows.to - rows.from)));
  const height = Math.max(4, Math.ceil((rows.to - rows.from) / cellRows));
  const columns = Math.max(1, Math.ceil(ink.width / width));
  const cells = Array.from({ length: columns * cellRows }, () => ({ ink: [] as number[], blank: [] as number[] }));
  for (const index of placesOf(cut, () => true)) {
    const column = Math.floor((index % ink.width) / width);
    const row = Math.min(cellRows - 1, Math.floor((Math.floor(index / ink.width) - rows.from) / height));
    const cell = cells[row * columns + column];
    const coverage = ink.coverage[index] as number;
    if (ink.mask[index] === 1 && coverage > 200) cell?.ink.push(index);
    else if (ink.mask[index] === 0 && coverage < 40) cell?.blank.push(index);
  }
  return cells.map((cell, index): Slice => {
    const column = index % columns;
    const slice = {
      ink: placesInPicture(thin(cell.ink), cut, sight.format),
      blank: placesInPicture(thin(cell.blank), cut, sight.format),
      from: (column * width) / ink.width,
      to: Math.min(1, ((column + 1) * width) / ink.width),
    };
    const levels = { ink: sight.template.inkLevel, ground: sight.template.groundLevel };
    const place = { dx: 0, dy: 0, scale: 1 };
    return { ...slice, usual: wrongIn(slice, { ...sight, levels, place }) };
  });
}

type Sight = {
  template: Template;
  frame: TextFrame;
  format: PlanarFormat;
  levels: { ink: number; ground: number };
  place: Place;
};

/** Where the letters are drawn otherwise than they were, be it ever so little. Faint letters cannot tell: then nowhere. */
export function findChanges(slices: LineSlices, sight: Sight): SliceChange[] {
  if (Math.abs(sight.levels.ink - sight.levels.ground) < leastStep) return [];
  return slices.flatMap((slice, cell) => {
    const { lost, gained } = wrongIn(slice, sight);
    const more = Math.max(0, gained - slice.usual.gained);
    const strength = Math.max(0, lost - slice.usual.lost) + more;
    if (strength < leastWrong) return [];
    return [{ cell, from: slice.from, to: slice.to, strength, hasGained: more >= leastGained }];
  });
}

/** What is drawn now is what the next frames are held against, but for the cells that have just changed. */
export function acceptSlices(slices: LineSlices, sight: Sight, isFresh: (cell: number) => boolean): void {
  for (const [cell, slice] of slices.entries()) {
    if (isFresh(cell)) continue;
    const { lost, gained } = wrongIn(slice, sight);
    slice.usual = { lost: Math.max(lost, slice.usual.lost), gained: Math.max(gained, slice.usual.gained) };
  }
}

function wrongIn({ ink, blank }: Pick<Slice, "ink" | "blank">, sight: Sight): Wrong {
  return { lost: 1 - inkShareOf(ink, sight, lostFrom, 1), gained: inkShareOf(blank, sight, gainedWithin, 0) };
}

/** Of the points: how many have the level of the letters, or are nearer to it than `within` of the step from the ground. */
function inkShareOf(points: LinePoints, sight: Sight, within: number, otherwise: number): number {
  const { template, frame, format, place } = sight;
  const { ink, ground } = sight.levels;
  const origin = originOf(template, place);
  const count = takeLevels(points, { frame, format, plane: template.plane, origin, scale: place.scale });
  if (count < leastPoints) return otherwise;
  const most = within * Math.abs(ink - ground);
  let inked = 0;
  for (let index = 0; index < count; index += 1) if (Math.abs((levels[index] as number) - ink) < most) inked += 1;
  return inked / count;
}

function thin(places: number[]): number[] {
  if (places.length <= maxPoints) return places;
  const step = places.length / maxPoints;
  return Array.from({ length: maxPoints }, (_, index) => places[Math.floor(index * step)] ?? 0);
}
