import type { Raster } from "../../evidence/raster.ts";
import { findOutline, groundAlong } from "./line-outline.ts";
import { distanceToMask } from "./mask-distance.ts";

/** Which pixels of a line are letters. */
export type LineInk = {
  width: number;
  height: number;
  /** 1: letter; 0: what is behind. */
  mask: Uint8Array;
  /** The same with the soft edges that letters have, 0 to 255. */
  coverage: Uint8Array;
  /** 1: an edge that the letters themselves have; null: they have none. */
  edge: Uint8Array | null;
  /** How much of the pixels' differences the two sides explain, 0 to 1: low over a busy picture. */
  clarity: number;
};

/** What letters may differ in from what is behind them. Brightness comes first: it is what people read by. */
type Axis = (red: number, green: number, blue: number) => number;
const brightness: Axis = (red, green, blue) => 0.299 * red + 0.587 * green + 0.114 * blue;
const axes: readonly Axis[] = [
  brightness,
  (red, green) => 128 + (red - green) / 2,
  (red, green, blue) => 128 + (blue - (red + green) / 2) / 2,
];
/** A colour must tell letters apart this much better than brightness does. */
const colourMargin = 0.1;
/** How much of the line counts as being next to a letter: about three letters. */
const windowHeights = 2;

/** Columns that are ink from the first row to the last: more are no letters. */
const mostThrough = 0.05;
/** Of the step between letters and what is behind them: pixels that show the level of the letters, and how many do. */
const pureShare = 0.15;
const leastPure = 0.35;
/** Pixels from those: no soft edge is so wide. */
const strayDistance = 3;
const mostStray = 0.02;
/** Where the level of the letters is among all of the line, from its end. */
const extremeShare = 0.03;
/** Of the step to the other end: what belongs to letters of one level. */
const evenShare = 0.75;
const evenClarity = 0.8;
/** Pixels from the letters: what is behind them shows pure there. */
const groundDistance = 3;
const leastEven = 0.04;
const mostEven = 0.4;

/** Tells the letters of a level line from what is behind them. Null: there is nothing to tell apart. */
export function findInk(line: Raster): LineInk | null {
  let best: (Split & { values: Uint8Array }) | undefined;
  for (const axis of axes) {
    const values = flatten(project(line, axis), line);
    const split = splitLevels(values);
    if (split === null) continue;
    if (best === undefined || split.clarity > best.clarity + colourMargin) best = { ...split, values };
  }
  if (best === undefined) return null;
  const { values, threshold, clarity } = best;
  const isBright = brightSideIsInk(line, values, threshold);
  const mask = Uint8Array.from(values, (value) => (value > threshold === isBright ? 1 : 0));
  const { width, height } = line;
  const levels = project(line, brightness);
  if (throughColumns(line, mask) > mostThrough || strayShare({ width, height, levels }, mask) > mostStray) {
    const ink = findEvenInk(line, levels);
    if (ink !== null) return ink;
  }
  const outlined = findOutline({ width, height, levels }, mask);
  if (outlined !== null) {
    const { share, ...letters } = outlined;
    return { width, height, ...letters, clarity: Math.max(clarity, share) };
  }
  return { width, height, mask, coverage: softEdges(values, mask), edge: null, clarity };
}

/**
 * Where the picture behind the letters leaps from dark to bright, a side of it is as far from the mean as the letters are,
 * and runs through the line from top to bottom. Letters of one colour are still the brightest or the darkest there is.
 */
function findEvenInk(line: Raster, levels: Uint8Array): LineInk | null {
  const { width, height } = line;
  const inOrder = levels.toSorted();
  const [dark, bright] = [quantile(inOrder, extremeShare), quantile(inOrder, 1 - extremeShare)];
  for (const [ink, other] of [
    [bright, dark],
    [dark, bright],
  ] as const) {
    const step = ink - other;
    const mask = levels.map((level) => ((level - other) / step > evenShare ? 1 : 0));
    const share = mask.reduce((sum, value) => sum + value, 0) / mask.length;
    if (share < leastEven || share > mostEven || throughColumns(line, mask) > mostThrough) continue;
    const outlined = findOutline({ width, height, levels }, mask);
    if (outlined !== null) return { width, height, ...outlined, clarity: outlined.share };
    return {
      width,
      height,
      mask,
      coverage: evenCoverage({ width, height, levels }, { mask, ink }),
      edge: null,
      clarity: evenClarity,
    };
  }
  return null;
}

/** Letters of the level `ink`, with soft edges to whatever is behind them at their place. */
function evenCoverage(line: EvenLine, { mask, ink }: { mask: Uint8Array; ink: number }): Uint8Array {
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

type EvenLine = { width: number; height: number; levels: Uint8Array };

/** How much of the mask is not letters, where most of it has the one level of theirs: 0 to 1. */
function strayShare(line: EvenLine, mask: Uint8Array): number {
  const { levels } = line;
  const [grounds, inks] = [0, 1].map((side) => levels.filter((_, index) => mask[index] === side).toSorted()) as [
    Uint8Array,
    Uint8Array,
  ];
  const ground = quantile(grounds, 0.5);
  const ink = quantile(inks, quantile(inks, 0.5) > ground ? 0.8 : 0.2);
  const pure = mask.map((side, index) =>
    side === 1 && Math.abs((levels[index] as number) - ink) < pureShare * Math.abs(ink - ground) ? 1 : 0,
  );
  const inkCount = mask.reduce((sum, side) => sum + side, 0);
  if (pure.reduce((sum, side) => sum + side, 0) < leastPure * inkCount) return 0;
  const distance = distanceToMask({ ...line, mask: pure }, strayDistance);
  return mask.filter((side, index) => side === 1 && distance[index] === strayDistance).length / inkCount;
}

function quantile(inOrder: Uint8Array, share: number): number {
  return inOrder[Math.round(share * (inOrder.length - 1))] ?? 0;
}

/** The share of columns whose first and last rows are both ink. */
function throughColumns({ width, height }: Raster, mask: Uint8Array): number {
  let through = 0;
  for (let x = 0; x < width; x += 1) {
    if (mask[x] === 1 && mask[(height - 1) * width + x] === 1) through += 1;
  }
  return through / width;
}

function softEdges(values: Uint8Array, mask: Uint8Array): Uint8Array {
  const sums = [0, 0];
  const counts = [0, 0];
  for (const [index, side] of mask.entries()) {
    sums[side] = (sums[side] ?? 0) + (values[index] as number);
    counts[side] = (counts[side] ?? 0) + 1;
  }
  const [ground = 0, ink = 0] = sums.map((sum, side) => sum / Math.max(1, counts[side] ?? 1));
  const scale = 255 / (ink - ground || 1);
  return Uint8Array.from(values, (value) => Math.min(255, Math.max(0, (value - ground) * scale)));
}

function project({ pixels }: Raster, axis: Axis): Uint8Array {
  const values = new Uint8Array(pixels.length / 3);
  for (let to = 0, from = 0; to < values.length; to += 1, from += 3) {
    values[to] = axis(pixels[from] as number, pixels[from + 1] as number, pixels[from + 2] as number);
  }
  return values;
}

/**
 * Takes away what changes slowly along the line: the picture behind letters may be bright here and dark there, and the
 * letters only differ from what is next to them.
 */
function flatten(values: Uint8Array, { width, height }: Raster): Uint8Array {
  const columns = new Float64Array(width + 1);
  for (let x = 0; x < width; x += 1) {
    let sum = 0;
    for (let y = 0; y < height; y += 1) sum += values[y * width + x] as number;
    columns[x + 1] = (columns[x] as number) + sum;
  }
  const reach = Math.round(windowHeights * height * 0.5);
  const means = Float64Array.from({ length: width }, (_, x) => {
    const [from, to] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
    return ((columns[to] as number) - (columns[from] as number)) / ((to - from) * height);
  });
  return values.map((value, index) => Math.min(255, Math.max(0, 128 + value - (means[index % width] as number))));
}

type Split = { threshold: number; clarity: number };

/** Otsu's threshold: the one whose two sides explain most of the variance. */
function splitLevels(values: Uint8Array): Split | null {
  const counts = new Float64Array(256);
  for (const value of values) counts[value] = (counts[value] as number) + 1;
  const whole = values.length;
  let sum = 0;
  let squares = 0;
  for (const [level, count] of counts.entries()) {
    sum += level * count;
    squares += level * level * count;
  }
  const variance = squares / whole - (sum / whole) ** 2;
  // Less than this is the noise of compression.
  if (variance < 9) return null;
  let best: Split = { threshold: 0, clarity: 0 };
  let below = 0;
  let sumBelow = 0;
  for (let level = 0; level < 255; level += 1) {
    below += counts[level] as number;
    sumBelow += level * (counts[level] as number);
    if (below === 0 || below === whole) continue;
    const [meanBelow, meanAbove] = [sumBelow / below, (sum - sumBelow) / (whole - below)];
    const clarity = ((below / whole) * (1 - below / whole) * (meanAbove - meanBelow) ** 2) / variance;
    if (clarity > best.clarity) best = { threshold: level, clarity };
  }
  return best;
}

/**
 * Letters cover less than half of their line. Where that does not tell: they are in its middle, and what is behind them
 * is also above and below.
 */
function brightSideIsInk({ width, height }: Raster, values: Uint8Array, threshold: number): boolean {
  const share = (fromRow: number, toRow: number) => {
    let bright = 0;
    for (let index = fromRow * width; index < toRow * width; index += 1) {
      if ((values[index] as number) > threshold) bright += 1;
    }
    return bright / Math.max(1, (toRow - fromRow) * width);
  };
  const whole = share(Math.round(height * 0.1), Math.round(height * 0.9));
  if (whole < 0.4 || whole > 0.6) return whole < 0.4;
  const margin = Math.max(1, Math.round(height * 0.08));
  const edge = (share(0, margin) + share(height - margin, height)) / 2;
  return share(Math.round(height * 0.3), Math.round(height * 0.7)) > edge;
}
