import type { LightCells } from "./light-cells.ts";

/**
 * For each cell the way it last went and the extremes since. A change adds up over any number of frames until it turns
 * back by as much as counts, so a ramp is one change and the ripple of compression on it none.
 */
export type Swings = {
  /** +1 after a rise, -1 after a fall, 0 before the first. */
  direction: Int8Array;
  high: Float32Array;
  low: Float32Array;
  /** What the cell alone was at that extreme. */
  rawHigh: Float32Array;
  rawLow: Float32Array;
  /** The cells that changed in the last step: the first `changedCount` of it. */
  changed: Int32Array;
  changedCount: number;
};

export function createSwings(count: number): Swings {
  return {
    direction: new Int8Array(count),
    high: new Float32Array(count).fill(Number.NEGATIVE_INFINITY),
    low: new Float32Array(count).fill(Number.POSITIVE_INFINITY),
    rawHigh: new Float32Array(count),
    rawLow: new Float32Array(count),
    changed: new Int32Array(count),
    changedCount: 0,
  };
}

/** 20 of 200 cd/m², WCAG's 10 %; less what 32-bit floats lose. */
export const luminanceChange = 0.1 - 1e-6;
/** 160 of 200 cd/m², WCAG's 0.80. */
const darkerBelow = 0.8;
const michelson = 1 / 17;

/** Above 160 cd/m² only HDR flashes, by contrast; in SDR the texts let changes of light pictures pass. */
function isFlashChange({ dark, light, isHdr }: { dark: number; light: number; isHdr: boolean }): boolean {
  if (light - dark < luminanceChange) return false;
  return dark < darkerBelow || (isHdr && light - dark >= michelson * (light + dark));
}

export function stepLuminance(swings: Swings, cells: LightCells): void {
  const { direction, high, low, rawHigh, rawLow, changed } = swings;
  const { luminance, rawLuminance, count, isHdr } = cells;
  let changedCount = 0;
  for (let cell = 0; cell < count; cell += 1) {
    const value = luminance[cell] as number;
    const way = direction[cell] as number;
    if (way >= 0) {
      if (value >= (high[cell] as number)) {
        high[cell] = value;
        rawHigh[cell] = rawLuminance[cell] as number;
      } else if (isFlashChange({ dark: value, light: high[cell] as number, isHdr })) {
        direction[cell] = -1;
        low[cell] = value;
        rawLow[cell] = rawLuminance[cell] as number;
        changed[changedCount] = cell;
        changedCount += 1;
        continue;
      }
    }
    if (way <= 0) {
      if (value <= (low[cell] as number)) {
        low[cell] = value;
        rawLow[cell] = rawLuminance[cell] as number;
      } else if (isFlashChange({ dark: low[cell] as number, light: value, isHdr })) {
        direction[cell] = 1;
        high[cell] = value;
        rawHigh[cell] = rawLuminance[cell] as number;
        changed[changedCount] = cell;
        changedCount += 1;
      }
    }
  }
  swings.changedCount = changedCount;
}

/** A neighbour that went the same way longer ago than this stands still now. */
const sameSwingSeconds = 0.25;

/**
 * Writes into `cover` how much of each changed cell takes part in its change, 0 to 1. Inside a flashing area all of it;
 * at the edge as much as its own mean changed compared with its neighbour further in, or a quarter of the screen could
 * be off by 2 % of the screen.
 */
export function measureCover(options: {
  swings: Swings;
  cells: LightCells;
  raw: Float32Array;
  threshold: number;
  lastChangeSeconds: Float64Array;
  seconds: number;
  cover: Float32Array;
}): void {
  const { swings, cells, raw, threshold, lastChangeSeconds, seconds, cover } = options;
  const { columns, count } = cells;
  const { changed, changedCount, direction, rawHigh, rawLow } = swings;
  const swing = (cell: number, way: number) => {
    const isStale = direction[cell] === way && seconds - (lastChangeSeconds[cell] as number) > sameSwingSeconds;
    if (isStale) return 0;
    const here = raw[cell] as number;
    return way > 0 ? here - (rawLow[cell] as number) : (rawHigh[cell] as number) - here;
  };
  for (let index = 0; index < changedCount; index += 1) {
    const cell = changed[index] as number;
    const way = direction[cell] as number;
    const column = cell % columns;
    const own = swing(cell, way);
    const left = column > 0 ? swing(cell - 1, way) : own;
    const right = column < columns - 1 ? swing(cell + 1, way) : own;
    const above = cell >= columns ? swing(cell - columns, way) : own;
    const below = cell + columns < count ? swing(cell + columns, way) : own;
    const full = Math.max(own, left, right, above, below);
    // Red that changed in colour alone has no swing to compare.
    const isInside = full < threshold || Math.min(own, left, right, above, below) >= threshold;
    cover[cell] = isInside ? 1 : Math.max(0, own / full);
  }
}
