import assert from "node:assert/strict";
import { test } from "node:test";
import type { FrameFormat } from "../evidence.ts";
import { createLightCells } from "./light-cells.ts";
import { createYuvToRgb } from "../pixels/yuv-to-rgb.ts";

for (const transfer of ["sdr", "pq", "hlg"] as const) {
  test(`cells of the planes are those of the pixels made of them, ${transfer}`, () => {
    const format: FrameFormat = {
      width: 320,
      height: 180,
      displayWidth: 1920,
      displayHeight: 1080,
      transfer,
      framesPerSecond: 25,
    };
    const matrix = transfer === "sdr" ? "bt709" : "bt2020";
    const { convert, yuvBytes } = createYuvToRgb({ ...format, matrix });
    // Every code value beside every other, those outside the legal range too.
    const yuv = Uint8Array.from({ length: yuvBytes }, (_, index) => (index * 73 + Math.floor(index / 251) * 31) % 256);
    const pixels = new Uint8Array(320 * 180 * 3);
    convert(yuv, pixels);
    const ofPixels = createLightCells(format);
    const ofPlanes = createLightCells(format);

    const mean = ofPixels.read({ pixels });
    const sameMean = ofPlanes.read({ pixels: new Uint8Array(), planes: { yuv, matrix } });

    assert.ok(mean > 0 && Math.abs(sameMean - mean) < 1e-6);
    for (const plane of ["red", "green", "blue", "rawLuminance", "rawRedness"] as const)
      for (const [cell, value] of ofPixels[plane].entries())
        assert.ok(Math.abs((ofPlanes[plane][cell] ?? Number.NaN) - value) < 1e-5, `${plane} of cell ${cell}`);
  });
}
