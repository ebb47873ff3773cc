import assert from "node:assert/strict";
import { test } from "node:test";
import { hasDetail } from "./picture-detail.ts";

function picture(levelAt: (x: number, y: number) => number) {
  const [width, height] = [640, 360];
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const level = levelAt(at % width, Math.floor(at / width));
    pixels.set([level, level * 0.75, level * 0.6], at * 3);
  }
  return { width, height, pixels };
}

test("a picture of soft colours has no detail, whatever they are", () => {
  assert.equal(hasDetail(picture((x, y) => 120 + 60 * Math.sin(x / 90) + 50 * Math.cos(y / 70))), false);
  assert.equal(hasDetail(picture(() => 200)), false);
});

test("a shape with an edge in front of a plain wall is detail", () => {
  assert.equal(hasDetail(picture((x, y) => (Math.hypot(x - 320, y - 180) < 100 ? 200 : 90))), true);
});
