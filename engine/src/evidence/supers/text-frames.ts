import type { PlanarFormat, PlanarFrame } from "../evidence.ts";
import type { Raster } from "../pixels/raster.ts";
import { createYuvToRgb } from "../pixels/yuv-to-rgb.ts";

/** A frame that is kept: its planes are its own until it falls out of the memory. */
export type TextFrame = PlanarFrame;

/** A part of the picture in pixels; all four are even, so that the planes of colour can be cut. */
export type Window = { x: number; y: number; width: number; height: number };

export type FrameMemory = {
  add: (frame: PlanarFrame) => TextFrame;
  /** The latest first. */
  backwards: () => TextFrame[];
  /** The frame that came `count` before the latest; undefined: too long ago. */
  before: (count: number) => TextFrame | undefined;
};

/** The last frames, in memory that is used over and over: as much for a film of four hours as for one of four seconds. */
export function createFrameMemory(keptSeconds: number): FrameMemory {
  const kept: TextFrame[] = [];
  const spare: Uint8Array[] = [];
  return {
    add(frame) {
      while (kept.length > 1 && frame.seconds - (kept[0]?.seconds ?? 0) > keptSeconds) {
        const oldest = kept.shift();
        if (oldest !== undefined) spare.push(oldest.yuv);
      }
      const yuv = spare.pop() ?? new Uint8Array(frame.yuv.length);
      yuv.set(frame.yuv);
      const own = { ...frame, yuv };
      kept.push(own);
      return own;
    },
    backwards: () => kept.toReversed(),
    before: (count) => kept.at(-1 - count),
  };
}

/** The smallest even window around a box that is wholly in the picture. */
export function windowAround(
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  { width, height }: { width: number; height: number },
): Window {
  const x = clampEven(Math.floor(left / 2) * 2, width - 2);
  const y = clampEven(Math.floor(top / 2) * 2, height - 2);
  return {
    x,
    y,
    width: Math.max(2, clampEven(Math.ceil(right / 2) * 2, width) - x),
    height: Math.max(2, clampEven(Math.ceil(bottom / 2) * 2, height) - y),
  };
}

/** A part of one frame, or of several as they are on average: what moves behind still letters fades. */
export function rasterOf(frames: TextFrame[], format: PlanarFormat, window: Window): Raster {
  const { width, height } = window;
  const yuv = new Uint8Array(width * height * 1.5);
  const sums = frames.length > 1 ? new Uint16Array(yuv.length) : null;
  for (const frame of frames) {
    copyPlanes(frame.yuv, format, window, (offset, row) => {
      if (sums === null) yuv.set(row, offset);
      else addRow(sums, offset, row);
    });
  }
  if (sums !== null) takeMeans(sums, frames.length, yuv);
  const pixels = new Uint8Array(width * height * 3);
  createYuvToRgb({ width, height, matrix: format.matrix }).convert(yuv, pixels);
  return { width, height, pixels };
}

function addRow(sums: Uint16Array, offset: number, row: Uint8Array): void {
  for (let index = 0; index < row.length; index += 1)
    sums[offset + index] = (sums[offset + index] as number) + (row[index] as number);
}

function takeMeans(sums: Uint16Array, count: number, to: Uint8Array): void {
  for (let index = 0; index < sums.length; index += 1) to[index] = (sums[index] as number) / count + 0.5;
}

function copyPlanes(
  yuv: Uint8Array,
  format: { width: number; height: number },
  window: Window,
  take: (offset: number, row: Uint8Array) => void,
): void {
  let planeStart = 0;
  let offset = 0;
  for (const shift of [0, 1, 1]) {
    const [planeWidth, planeHeight] = [format.width >> shift, format.height >> shift];
    const [width, height] = [window.width >> shift, window.height >> shift];
    for (let row = 0; row < height; row += 1) {
      const start = planeStart + ((window.y >> shift) + row) * planeWidth + (window.x >> shift);
      take(offset, yuv.subarray(start, start + width));
      offset += width;
    }
    planeStart += planeWidth * planeHeight;
  }
}

function clampEven(value: number, most: number): number {
  return Math.max(0, Math.min(value, Math.floor(most / 2) * 2));
}
