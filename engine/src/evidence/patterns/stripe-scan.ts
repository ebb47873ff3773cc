/** A stretch of one line of pixels that is light and dark by turns, at even distances. Positions in pixels. */
export type StripeRun = { from: number; to: number; pairs: number; bright: number };

/** A step between stripes, in units of SDR white: 20 cd/m², as a flash; smaller ones are not clearly seen. */
const minStep = 0.1;
/** Bright stripes under 50 cd/m² are harmless. */
const minBright = 0.25;
/** More than five pairs of a light and a dark stripe. */
const minPairs = 6;
const minPeriodPixels = 3;

/**
 * Finds stripes along a line. An edge is where the light has turned back by a whole step; edges of the same direction
 * must follow each other at a distance that changes by no more than a quarter from one to the next, so that stripes in
 * perspective and rings still count, and text, leaves and faces do not.
 */
export function createStripeScan(maxLength: number) {
  const edges = new Float64Array(maxLength + 1);
  const brights = new Float64Array(maxLength + 1);

  function scan(light: Float32Array, line: { start: number; stride: number; length: number }): StripeRun[] {
    const count = findEdges(light, line);
    if (count < 2 * minPairs - 1) return noRuns;
    const runs: StripeRun[] = [];
    let first = 0;
    for (let edge = 2; edge <= count; edge += 1) {
      if (edge < count && isEven(edge, first)) continue;
      addRun(runs, { first, last: edge - 1, length: line.length });
      // The last two edges may begin the next run.
      first = edge - 1;
    }
    return runs;
  }

  function findEdges(
    light: Float32Array,
    { start, stride, length }: { start: number; stride: number; length: number },
  ) {
    let count = 0;
    let direction = 0;
    let high = light[start] as number;
    let low = high;
    for (let n = 1, at = start + stride; n < length; n += 1, at += stride) {
      const value = light[at] as number;
      if (direction >= 0 && high - value >= minStep) {
        edges[count] = n;
        brights[count] = high;
        count += 1;
        direction = -1;
        low = value;
      } else if (direction <= 0 && value - low >= minStep) {
        edges[count] = n;
        brights[count] = value;
        count += 1;
        direction = 1;
        high = value;
      }
      if (value > high) high = value;
      if (value < low) low = value;
    }
    return count;
  }

  function isEven(edge: number, first: number): boolean {
    const period = (edges[edge] as number) - (edges[edge - 2] as number);
    if (period < minPeriodPixels || edge - 2 < first) return false;
    if (edge - 3 < first) return true;
    const before = (edges[edge - 1] as number) - (edges[edge - 3] as number);
    return Math.abs(period - before) <= Math.max(1.5, 0.25 * Math.max(period, before));
  }

  function addRun(runs: StripeRun[], { first, last, length }: { first: number; last: number; length: number }): void {
    const pairs = Math.floor((last - first + 2) / 2);
    if (pairs < minPairs) return;
    let bright = 0;
    for (let edge = first; edge <= last; edge += 1) bright += (brights[edge] as number) / (last - first + 1);
    if (bright <= minBright) return;
    const start = edges[first] as number;
    const end = edges[last] as number;
    const stripe = (end - start) / (last - first);
    runs.push({
      from: Math.max(0, Math.round(start - stripe)),
      to: Math.min(length, Math.round(end + stripe)),
      pairs,
      bright,
    });
  }

  return scan;
}

const noRuns: StripeRun[] = [];
