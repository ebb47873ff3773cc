import { findOutline, groundAlong } from "./line-outline.ts";
import { distanceToMask } from "./mask-distance.ts";

type Line = { width: number; height: number; levels: Uint8Array };
type EvenInk = { mask: Uint8Array; coverage: Uint8Array; edge: Uint8Array | null; clarity: number };

/** Columns that are ink from the first row to the last: more are no letters. */
const maxThrough = 0.05;
/** Of the step between letters and what is behind them: pixels that show the level of the letters, and how many do. */
const pureShare = 0.15;
const leastPure = 0.35;
/** Pixels from those: no soft edge is so wide. */
const strayDistance = 3;
const maxStray = 0.02;
/** Where the level of the letters is among all of the line, from its end. */
const extremeShare = 0.03;
/** Of the step to the other end: what belongs to letters of one level. */
const evenShare = 0.75;
const evenClarity = 0.8;
/** Pixels from the letters: what is behind them shows pure there. */
const groundDistance = 3;
const leastEven = 0.04;
const maxEven = 0.4;

/**
 * Whether a mask of a line has more than letters in it. Where the picture behind them leaps from dark to bright, a side of
 * it is as far from the mean as the letters are and runs through the line from top to bottom; bright specks lie apart.
 */
export function holdsMore(line: Line, mask: Uint8Array): boolean {
  return throughColumns(line, mask) > maxThrough || strayShare(line, mask) > maxStray;
}

/** Letters of one colour, which are the brightest or the darkest there is whatever is behind them. Null: there are none. */
export function findEvenInk(line: Line): EvenInk | null {
  const { levels } = line;
  const counts = countLevels(levels, () => true);
  const [dark, bright] = [quantile(counts, extremeShare), quantile(counts, 1 - extremeShare)];
  for (const [ink, other] of [
    [bright, dark],
    [dark, bright],
  ] as const) {
    const step = ink - other;
    const mask = levels.map((level) => ((level - other) / step > evenShare ? 1 : 0));
    const share = mask.reduce((sum, value) => sum + value, 0) / mask.length;
    if (share < leastEven || share > maxEven || throughColumns(line, mask) > maxThrough) continue;
    const outlined = findOutline(line, mask);
    if (outlined === null)
      return { mask, coverage: evenCoverage(line, { mask, ink }), edge: null, clarity: evenClarity };
    const { share: clarity, ...letters } = outlined;
    return { ...letters, clarity };
  }
  return null;
}

/** Letters of the level `ink`, with soft edges to whatever is behind them at their place. */
function evenCoverage(line: Line, { mask, ink }: { mask: Uint8Array; ink: number }): Uint8Array {
  const { width, levels } = line;
  const distance = distanceToMask({ ...line, mask }, groundDistance);
  const behind = Array.from(distance.keys()).filter((index) => distance[index] === groundDistance);
  const groundAt = groundAlong(line, behind);
  const grounds = Float64Array.from({ length: width }, (_, column) => groundAt(column));
  return levels.map((level, index) => {
    if ((distance[index] as number) > 1) return 0;
    const ground = grounds[index % width] as number;
    return Math.min(255, Math.max(0, (255 * (level - ground)) / (ink - ground || 1)));
  });
}

/** How much of the mask is not letters, where most of it has the one level of theirs: 0 to 1. */
function strayShare(line: Line, mask: Uint8Array): number {
  const { levels } = line;
  const grounds = countLevels(levels, (index) => mask[index] === 0);
  const inks = countLevels(levels, (index) => mask[index] === 1);
  const ground = quantile(grounds, 0.5);
  const ink = quantile(inks, quantile(inks, 0.5) > ground ? 0.8 : 0.2);
  const pure = mask.map((side, index) =>
    side === 1 && Math.abs((levels[index] as number) - ink) < pureShare * Math.abs(ink - ground) ? 1 : 0,
  );
  const inkCount = inks.sum;
  if (pure.reduce((sum, side) => sum + side, 0) < leastPure * inkCount) return 0;
  const distance = distanceToMask({ ...line, mask: pure }, strayDistance);
  return mask.filter((side, index) => side === 1 && distance[index] === strayDistance).length / inkCount;
}

/** How many pixels have each level. */
type LevelCounts = { of: Uint32Array; sum: number };

function countLevels(levels: Uint8Array, isCounted: (index: number) => boolean): LevelCounts {
  const counts = { of: new Uint32Array(256), sum: 0 };
  for (let index = 0; index < levels.length; index += 1) {
    if (!isCounted(index)) continue;
    const level = levels[index] as number;
    counts.of[level] = (counts.of[level] as number) + 1;
    counts.sum += 1;
  }
  return counts;
}

/** The level that so many of them are at or below; of none, 0. */
function quantile({ of, sum }: LevelCounts, share: number): number {
  const place = Math.round(share * (sum - 1));
  let below = 0;
  return Math.max(
    0,
    of.findIndex((count) => {
      below += count;
      return below > place;
    }),
  );
}

/** The share of columns whose first and last rows are both ink. */
function throughColumns({ width, height }: Line, mask: Uint8Array): number {
  let through = 0;
  for (let x = 0; x < width; x += 1) {
    if (mask[x] === 1 && mask[(height - 1) * width + x] === 1) through += 1;
  }
  return through / width;
}
