import assert from "node:assert/strict";
import { test } from "node:test";
import jsQr from "jsqr";
import { qrCode } from "./qr-code.ts";

/** As a camera would see it: three pixels a module, and a margin. */
function read(code: readonly (readonly boolean[])[]): string | undefined {
  const [scale, margin] = [3, 4];
  const side = (code.length + 2 * margin) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const isDark = code[Math.floor(y / scale) - margin]?.[Math.floor(x / scale) - margin] === true;
      if (isDark) pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  return jsQr.default(pixels, side, side)?.data;
}

test("an independent reader reads the longest text of each of the ten sizes", () => {
  const sizes = new Set<number>();
  for (const length of [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]) {
    const text = "https://example.com/console/status/".padEnd(length, "0123456789abcdef-").slice(0, length);
    const code = qrCode(text);
    assert.ok(code, `${length} letters`);
    sizes.add(code.length);
    assert.equal(read(code), text, `${length} letters`);
  }
  assert.deepEqual([...sizes], [21, 25, 29, 33, 37, 41, 45, 49, 53, 57]);
});

test("a text that is too long has no code", () => {
  assert.ok(qrCode("x".repeat(213)));
  assert.equal(qrCode("x".repeat(214)), undefined);
});
