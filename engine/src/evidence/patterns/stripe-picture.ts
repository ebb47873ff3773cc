import type { FrameFormat, Region } from "../evidence.ts";
import { hlgDisplayGain, linearLight } from "../pixels/light.ts";
import { createStripeScan } from "./stripe-scan.ts";

/** What one picture has of regular stripes. */
export type StripedPicture = {
  areaShare: number;
  pairs: number;
  /** Mean of the light stripes, 1 = SDR white. */
  bright: number;
  region: Region | null;
};

const cellPixels = 8;
/** Of the pixels of a cell, seen along rows or along columns. */
const minMarkedShare = 0.6;
/** A patch smaller than this, a shirt or a fence far off, does not add to the area. */
const minPatchShare = 0.05;

/**
 * Looks along rows and along columns: stripes of any direction cross one of the two at no more than 1.4 times their
 * width, rings and rays do so piece by piece.
 */
export function createStripePicture(format: FrameFormat) {
  const { width, height } = format;
  const columns = Math.ceil(width / cellPixels);
  const rows = Math.ceil(height / cellPixels);
  const scan = createStripeScan(Math.max(width, height));
  const toLight = createPixelLight(format);
  const light = new Float32Array(width * height);
  const along = new Uint16Array(columns * rows);
  const down = new Uint16Array(columns * rows);

  function read(pixels: Uint8Array): StripedPicture {
    toLight(pixels, light);
    along.fill(0);
    down.fill(0);
    const pairs: number[] = [];
    let bright = 0;
    for (let y = 0; y < height; y += 1) {
      for (const run of scan(light, { start: y * width, stride: 1, length: width })) {
        pairs.push(run.pairs);
        bright += run.bright;
        const row = Math.floor(y / cellPixels) * columns;
        for (let x = run.from; x < run.to; x += 1) add(along, row + Math.floor(x / cellPixels));
      }
    }
    for (let x = 0; x < width; x += 1) {
      for (const run of scan(light, { start: x, stride: width, length: height })) {
        pairs.push(run.pairs);
        bright += run.bright;
        const column = Math.floor(x / cellPixels);
        for (let y = run.from; y < run.to; y += 1) add(down, Math.floor(y / cellPixels) * columns + column);
      }
    }
    const isMarked = Array.from(along, (marked, cell) => {
      const cellWidth = Math.min(cellPixels, width - (cell % columns) * cellPixels);
      const cellHeight = Math.min(cellPixels, height - Math.floor(cell / columns) * cellPixels);
      return Math.max(marked, down[cell] as number) >= minMarkedShare * cellWidth * cellHeight;
    });
    const patches = findPatches(isMarked, { columns, rows }).filter(
      (patch) => patch.length >= minPatchShare * columns * rows,
    );
    const cells = patches.flat();
    return {
      areaShare: cells.length / (columns * rows),
      pairs: pairs.toSorted((a, b) => a - b)[Math.floor(0.75 * pairs.length)] ?? 0,
      bright: pairs.length === 0 ? 0 : bright / pairs.length,
      region: regionOf(cells, { columns, rows }),
    };
  }

  return { light, read };
}

function add(counts: Uint16Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

type Grid = { columns: number; rows: number };

/** Cells that touch, side by side or one above the other. */
function findPatches(isMarked: boolean[], { columns }: Grid): number[][] {
  const patches: number[][] = [];
  const isSeen = isMarked.map((marked) => !marked);
  for (let cell = 0; cell < isMarked.length; cell += 1) {
    if (isSeen[cell] === true) continue;
    isSeen[cell] = true;
    const patch = [cell];
    for (const member of patch) {
      const column = member % columns;
      const neighbours = [member - columns, member + columns];
      if (column > 0) neighbours.push(member - 1);
      if (column < columns - 1) neighbours.push(member + 1);
      for (const neighbour of neighbours) {
        if (isSeen[neighbour] !== false) continue;
        isSeen[neighbour] = true;
        patch.push(neighbour);
      }
    }
    patches.push(patch);
  }
  return patches;
}

function regionOf(cells: number[], { columns, rows }: Grid): Region | null {
  if (cells.length === 0) return null;
  let [left, top, right, bottom] = [columns, rows, 0, 0];
  for (const cell of cells) {
    left = Math.min(left, cell % columns);
    right = Math.max(right, (cell % columns) + 1);
    top = Math.min(top, Math.floor(cell / columns));
    bottom = Math.max(bottom, Math.floor(cell / columns) + 1);
  }
  return { x: left / columns, y: top / rows, width: (right - left) / columns, height: (bottom - top) / rows };
}

/** Luminance of each pixel, 1 = SDR white. */
function createPixelLight({ transfer }: FrameFormat): (pixels: Uint8Array, light: Float32Array) => void {
  const table = linearLight(transfer);
  const [red, green, blue] = transfer === "sdr" ? [0.2126, 0.7152, 0.0722] : [0.2627, 0.678, 0.0593];
  const reds = table.map((value) => value * red);
  const greens = table.map((value) => value * green);
  const blues = table.map((value) => value * blue);
  return (pixels, light) => {
    for (let n = 0, at = 0; n < light.length; n += 1, at += 3) {
      const value =
        (reds[pixels[at] as number] as number) +
        (greens[pixels[at + 1] as number] as number) +
        (blues[pixels[at + 2] as number] as number);
      light[n] = transfer === "hlg" ? value * hlgDisplayGain(value) : value;
    }
  };
}
