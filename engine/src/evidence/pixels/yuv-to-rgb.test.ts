import assert from "node:assert/strict";
import { test } from "node:test";
import { createYuvToRgb, type YuvMatrix } from "./yuv-to-rgb.ts";

function convertOne(matrix: YuvMatrix, [y, u, v]: [number, number, number]): number[] {
  const { convert, yuvBytes } = createYuvToRgb({ width: 2, height: 2, matrix });
  const rgb = new Uint8Array(12);
  assert.equal(yuvBytes, 6);
  convert(Uint8Array.of(y, y, y, y, u, v), rgb);
  assert.deepEqual([...rgb.subarray(0, 3)], [...rgb.subarray(9, 12)]);
  return [...rgb.subarray(0, 3)];
}

test("black, gray, white and what lies beyond them", () => {
  assert.deepEqual(convertOne("bt709", [16, 128, 128]), [0, 0, 0]);
  assert.deepEqual(convertOne("bt709", [126, 128, 128]), [128, 128, 128]);
  assert.deepEqual(convertOne("bt709", [235, 128, 128]), [255, 255, 255]);
  assert.deepEqual(convertOne("bt709", [255, 128, 128]), [255, 255, 255]);
  assert.deepEqual(convertOne("bt709", [0, 128, 128]), [0, 0, 0]);
});

test("the primaries of each matrix by their standard code values", () => {
  assert.deepEqual(convertOne("bt709", [63, 102, 240]), [255, 1, 0]);
  assert.deepEqual(convertOne("bt709", [173, 42, 26]), [0, 255, 1]);
  assert.deepEqual(convertOne("bt709", [32, 240, 118]), [1, 0, 255]);
  assert.deepEqual(convertOne("bt601", [81, 90, 240]), [254, 0, 0]);
  const [red = 0, green = 0, blue = 0] = convertOne("bt2020", [74, 97, 240]);
  assert.ok(red >= 254 && green <= 2 && blue <= 2);
});
