import type { FrameFormat, Region } from "../evidence.ts";
import type { LightCells } from "./light-cells.ts";

/** A part of the picture in cells, and the share of the frame that must flash in it, and be exceeded, to count. */
export type Zone = { left: number; top: number; columns: number; rows: number; minShare: number };

/** Which cells flash how often, and how much of each does. */
export type FlashingCells = { rate: Uint8Array; cover: Float32Array };

const maxRate = 63;

/** Broadcast: more than a quarter of the picture, wherever it is. */
export function wholeFrame(cells: LightCells): Zone {
  return { left: 0, top: 0, columns: cells.columns, rows: cells.rows, minShare: 0.25 };
}

/**
 * WCAG: more than a quarter of any ten degrees of sight, 341 × 256 of 1024 × 768 pixels, with the picture shown as
 * large as that screen allows: video must be judged at the largest size it can be seen.
 */
export function tenDegrees(cells: LightCells, format: FrameFormat): Zone {
  const scale = Math.min(1024 / format.displayWidth, 768 / format.displayHeight);
  const shown = { width: format.displayWidth * scale, height: format.displayHeight * scale };
  const columns = Math.max(1, Math.min(cells.columns, Math.round((341 / shown.width) * cells.columns)));
  const rows = Math.max(1, Math.min(cells.rows, Math.round((256 / shown.height) * cells.rows)));
  return { left: 0, top: 0, columns, rows, minShare: 21_824 / (shown.width * shown.height) };
}

export type AreaMeter = ReturnType<typeof createAreaMeter>;

export function createAreaMeter(cells: LightCells, flashing: FlashingCells) {
  const { columns, rows, count, share } = cells;
  const { rate, cover } = flashing;
  /** Share of the frame that flashes at this rate or faster, by rate. */
  const shareAtLeast = new Float64Array(maxRate + 2);
  const sums = new Float64Array((columns + 1) * (rows + 1));

  function measure(): void {
    shareAtLeast.fill(0);
    for (let cell = 0; cell < count; cell += 1) {
      const flashes = rate[cell] as number;
      if (flashes === 0) continue;
      const weight = (share[cell] as number) * (cover[cell] as number);
      const index = Math.min(flashes, maxRate);
      shareAtLeast[index] = (shareAtLeast[index] as number) + weight;
    }
    for (let flashes = maxRate; flashes > 0; flashes -= 1) {
      shareAtLeast[flashes] = (shareAtLeast[flashes] as number) + (shareAtLeast[flashes + 1] as number);
    }
  }

  function shareAt(minRate: number): number {
    return shareAtLeast[Math.min(minRate, maxRate)] as number;
  }

  /** How many flashes a second the cells that exceed this share of the frame have in common. */
  function rateOver(minShare: number): number {
    let flashes = 0;
    while (flashes < maxRate && shareAt(flashes + 1) > minShare) flashes += 1;
    return flashes;
  }

  /** Where a window of this size has most of the area that flashes at this rate or faster. */
  function fullestWindow(window: Zone, minRate: number): { zone: Zone; share: number } {
    const stride = columns + 1;
    for (let row = 0; row < rows; row += 1) {
      let sum = 0;
      for (let column = 0; column < columns; column += 1) {
        const cell = row * columns + column;
        if ((rate[cell] as number) >= minRate) sum += (share[cell] as number) * (cover[cell] as number);
        sums[(row + 1) * stride + column + 1] = (sums[row * stride + column + 1] as number) + sum;
      }
    }
    let [bestTop, bestLeft, bestShare] = [0, 0, -1];
    for (let top = 0; top + window.rows <= rows; top += 1) {
      const upper = top * stride;
      const lower = (top + window.rows) * stride;
      for (let left = 0; left + window.columns <= columns; left += 1) {
        const right = left + window.columns;
        const inside =
          (sums[lower + right] as number) -
          (sums[lower + left] as number) -
          (sums[upper + right] as number) +
          (sums[upper + left] as number);
        if (inside <= bestShare) continue;
        bestShare = inside;
        bestTop = top;
        bestLeft = left;
      }
    }
    return { zone: { ...window, left: bestLeft, top: bestTop }, share: bestShare };
  }

  /** As `rateOver`, within any one window of this size; at least what is already known. */
  function rateInWindow(window: Zone, knownRate: number): number {
    let flashes = knownRate;
    while (
      flashes < maxRate &&
      shareAt(flashes + 1) > window.minShare &&
      fullestWindow(window, flashes + 1).share > window.minShare
    ) {
      flashes += 1;
    }
    return flashes;
  }

  function regionOf(minRate: number): Region | null {
    let [left, top, right, bottom] = [columns, rows, -1, -1];
    for (let cell = 0; cell < count; cell += 1) {
      if ((rate[cell] as number) < minRate || (cover[cell] as number) < 0.5) continue;
      const column = cell % columns;
      const row = Math.floor(cell / columns);
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
    if (right < 0) return null;
    const across = 1 / columns;
    const down = 1 / rows;
    return { x: left * across, y: top * down, width: (right - left + 1) * across, height: (bottom - top + 1) * down };
  }

  return { measure, shareAt, rateOver, rateInWindow, fullestWindow, regionOf };
}
