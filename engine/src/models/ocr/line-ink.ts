import type { Raster } from "../../evidence/pixels/raster.ts";
import { findEvenInk, holdsMore } from "./even-ink.ts";
import { findOutline } from "./line-outline.ts";

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
type Axis = { red: number; green: number; blue: number; zero: number };
const brightness: Axis = { red: 0.299, green: 0.587, blue: 0.114, zero: 0 };
const axes: readonly Axis[] = [
  brightness,
  { red: 0.5, green: -0.5, blue: 0, zero: 128 },
  { red: -0.25, green: -0.25, blue: 0.5, zero: 128 },
];
/** A colour must tell letters apart this much better than brightness does. */
const colourMargin = 0.1;
/** How much of the line counts as being next to a letter: about three letters. */
const windowHeights = 2;

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
  const mask = values.map((value) => (value > threshold === isBright ? 1 : 0));
  const { width, height } = line;
  const levels = project(line, brightness);
  const even = holdsMore({ width, height, levels }, mask) ? findEvenInk({ width, height, levels }) : null;
  if (even !== null) return { width, height, ...even };
  const outlined = findOutline({ width, height, levels }, mask);
  if (outlined !== null) {
    const { share, ...letters } = outlined;
    return { width, height, ...letters, clarity: Math.max(clarity, share) };
  }
  return { width, height, mask, coverage: softEdges(values, mask), edge: null, clarity };
}

function softEdges(values: Uint8Array, mask: Uint8Array): Uint8Array {
  const sums = [0, 0];
  const counts = [0, 0];
  for (let index = 0; index < mask.length; index += 1) {
    const side = mask[index] as number;
    sums[side] = (sums[side] ?? 0) + (values[index] as number);
    counts[side] = (counts[side] ?? 0) + 1;
  }
  const [ground = 0, ink = 0] = sums.map((sum, side) => sum / Math.max(1, counts[side] ?? 1));
  const scale = 255 / (ink - ground || 1);
  return values.map((value) => Math.min(255, Math.max(0, (value - ground) * scale)));
}

function project({ pixels }: Raster, { red, green, blue, zero }: Axis): Uint8Array {
  const values = new Uint8Array(pixels.length / 3);
  for (let to = 0, from = 0; to < values.length; to += 1, from += 3) {
    values[to] =
      zero +
      red * (pixels[from] as number) +
      green * (pixels[from + 1] as number) +
      blue * (pixels[from + 2] as number);
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
  const flat = new Uint8Array(values.length);
  for (let row = 0; row < values.length; row += width) {
    for (let x = 0; x < width; x += 1) {
      const level = 128 + (values[row + x] as number) - (means[x] as number);
      flat[row + x] = Math.min(255, Math.max(0, level));
    }
  }
  return flat;
}

type Split = { threshold: number; clarity: number };

/** Otsu's threshold: the one whose two sides explain most of the variance. */
function splitLevels(values: Uint8Array): Split | null {
  const counts = new Float64Array(256);
  for (const value of values) counts[value] = (counts[value] as number) + 1;
  const whole = values.length;
  let sum = 0;
  let squares = 0;
  for (let level = 0; level < counts.length; level += 1) {
    const count = counts[level] as number;
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
    const apart = (sum - sumBelow) / (whole - below) - sumBelow / below;
    const clarity = ((below / whole) * (1 - below / whole) * apart ** 2) / variance;
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
