import assert from "node:assert/strict";
import { test } from "node:test";
import type { Raster } from "../../evidence/pixels/raster.ts";
import { findInk } from "./line-ink.ts";
import { distanceToMask } from "./mask-distance.ts";

type Colour = [red: number, green: number, blue: number];

const size = { width: 272, height: 40 };
const white: Colour = [245, 245, 245];
const black: Colour = [8, 8, 8];
const stripes = (x: number): Colour => (Math.floor(x / 15) % 2 === 0 ? [40, 60, 50] : [200, 210, 190]);
const leap = (x: number): Colour => (x < 60 ? [48, 0, 0] : x < 170 ? [24, 105, 24] : [155, 155, 75]);
const curtain = (x: number): Colour => (x < 200 ? [20, 20, 20] : [160, 160, 150]);
const fade = (x: number): Colour => [80 + x / 2, 150 - x / 3, 60 + x / 2];

/** Letters like H and O, four pixels strong. */
const letters = Uint8Array.from({ length: size.width * size.height }, (_, at) => {
  const [x, y] = [at % size.width, Math.floor(at / size.width)];
  const [inLetter, letter] = [x % 34, Math.floor(x / 34)];
  if (y < 9 || y > 30 || inLetter < 4 || inLetter > 19) return 0;
  if (inLetter < 8 || inLetter > 15) return 1;
  const isBar = letter % 2 === 0 ? y >= 18 && y < 22 : y < 13 || y > 26;
  return isBar ? 1 : 0;
});

function draw(ground: (x: number) => Colour, edge: Colour | null): Raster {
  const distance = distanceToMask({ ...size, mask: letters }, 9);
  const pixels = new Uint8Array(letters.length * 3);
  for (const [at, away] of distance.entries()) {
    const behind = edge !== null && away <= 2 ? edge : ground(at % size.width);
    pixels.set(away === 0 ? white : behind, at * 3);
  }
  return { ...size, pixels };
}

for (const [name, ground] of [
  ["gray", () => [120, 120, 120]],
  ["light", () => [190, 185, 195]],
  ["saturated", () => [204, 70, 230]],
  ["changing", fade],
] as const satisfies [string, (x: number) => Colour][]) {
  test(`white letters with a black edge are told from it over a ${name} picture`, () => {
    const ink = findInk(draw(ground, black));

    assert.ok(ink?.edge);
    assert.deepEqual(ink.mask, letters);
    const distance = distanceToMask({ ...size, mask: letters }, 9);
    assert.ok(ink.edge.every((value, at) => value === ((distance[at] ?? 0) >= 1 && (distance[at] ?? 9) <= 2 ? 1 : 0)));
  });
}

for (const [name, ground] of [
  ["gray", () => [120, 120, 120]],
  ["dark", () => [20, 30, 40]],
  ["changing", fade],
  ["striped", stripes],
] as const satisfies [string, (x: number) => Colour][]) {
  test(`plain white letters over a ${name} picture have no edge`, () => {
    const ink = findInk(draw(ground, null));

    assert.equal(ink?.edge, null);
  });
}

for (const [name, ground, edge] of [
  ["plain white letters are found where the colour behind them leaps", leap, null],
  ["white letters with a black edge are found where the colour behind them leaps", leap, black],
  ["white letters with a black edge are found where what is behind them leaps from dark to bright", curtain, black],
] as const satisfies [string, (x: number) => Colour, Colour | null][]) {
  test(name, () => {
    const ink = findInk(draw(ground, edge));

    assert.deepEqual(ink?.mask, letters);
    assert.ok(ink.coverage.every((value, at) => value > 127 === (letters[at] === 1)));
  });
}

test("bright specks of the picture are no letters", () => {
  const line = draw(() => [20, 24, 30], black);
  for (let x = 5; x < size.width - 5; x += 11)
    for (const y of [2, 3, 4, 36, 37]) line.pixels.set([170, 180, 190, 170, 180, 190], (y * size.width + x) * 3);

  const ink = findInk(line);

  assert.deepEqual(ink?.mask, letters);
});
