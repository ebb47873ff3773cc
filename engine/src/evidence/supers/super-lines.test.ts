import assert from "node:assert/strict";
import { test } from "node:test";
import { bridgeLines, isText, type SuperLine } from "./super-lines.ts";
import { supersOf } from "./super-paragraphs.ts";

const format = {
  width: 1280,
  height: 720,
  displayWidth: 1920,
  displayHeight: 1080,
  transfer: "sdr",
  framesPerSecond: 25,
} as const;

function line(text: string, given: Partial<SuperLine> & { left?: number; top?: number } = {}): SuperLine {
  const { left = 100, top = 600, ...rest } = given;
  return {
    text,
    confidence: 0.99,
    startSeconds: 1,
    endSeconds: 5,
    height: 20,
    contrast: 10,
    extent: { left, right: left + 12 * text.length, top, bottom: top + 30 },
    isMoving: false,
    motion: { velocity: { x: 0, y: 0 }, seconds: 5, top },
    ...rest,
  };
}

/** A line of a roll that goes up by a hundred pixels a second; the rows of it are 50 pixels apart. */
function rolled(text: string, { row, left }: { row: number; left: number }): SuperLine {
  const startSeconds = 0.5 * row;
  const motion = { velocity: { x: 0, y: -100 }, seconds: startSeconds + 7, top: 4 };
  const extent = { left, right: left + 12 * text.length, top: 0, bottom: 720 };
  return { ...line(text), startSeconds, endSeconds: startSeconds + 7, isMoving: true, motion, extent };
}

test("names that are alike stay lines of their own in a roll, though all pass through the same places", () => {
  const lines = [
    rolled("David Butler", { row: 0, left: 600 }),
    rolled("Daniel Butler", { row: 1, left: 600 }),
    rolled("David Carter", { row: 2, left: 600 }),
  ];

  assert.deepEqual(
    bridgeLines(lines).map(({ text }) => text),
    ["David Butler", "Daniel Butler", "David Carter"],
  );
});

test("a roll of two columns is read row by row", () => {
  const lines = [
    rolled("David Butler", { row: 0, left: 600 }),
    rolled("Daniel Butler", { row: 1, left: 600 }),
    rolled("Director", { row: 0, left: 200 }),
    { ...rolled("Producer", { row: 1, left: 200 }), startSeconds: 0.6 },
  ];

  assert.deepEqual(
    supersOf(bridgeLines(lines), format).map(({ text }) => text),
    ["Director\nDavid Butler\nProducer\nDaniel Butler"],
  );
});

test("a line of a roll that was lost for a moment is one line", () => {
  const first = rolled("David Butler", { row: 0, left: 600 });
  const lost = { ...first, endSeconds: 3, motion: { ...first.motion, seconds: 3, top: 404 } };

  const [whole, ...others] = bridgeLines([lost, { ...first, startSeconds: 3.4 }]);

  assert.deepEqual([whole?.startSeconds, whole?.endSeconds], [0, 7]);
  assert.deepEqual(others, []);
});

test("the first letters of a crawl belong to it, though they run along by themselves", () => {
  const motion = { velocity: { x: -200, y: 0 }, seconds: 5, top: 600 };
  const crawl = { ...line("Borrow up to five thousand pounds today", { startSeconds: 1 }), isMoving: true, motion };
  const lost = { ...motion, velocity: { x: 50, y: -52 } };
  const first = { ...line("Bo", { startSeconds: 1 }), isMoving: true, motion: lost };

  assert.deepEqual(
    bridgeLines([crawl, first]).map(({ text }) => text),
    [crawl.text],
  );
});

test("what is read of a line while it slides in belongs to it", () => {
  const lines = [
    line("£30", { startSeconds: 1, endSeconds: 1.2, left: 0 }),
    line("Bet £10 get £30", { startSeconds: 1.4, left: 300 }),
  ];

  const [whole, ...others] = bridgeLines(lines);

  assert.deepEqual([whole?.text, whole?.startSeconds, whole?.endSeconds], ["Bet £10 get £30", 1, 5]);
  assert.deepEqual(others, []);
});

test("lines below each other are one super when they begin together or have one middle, else two", () => {
  const upper = line("Credit subject to status.", { top: 600 });
  const begins = line("Over 18s only.", { top: 640 });
  const centred = line("Over 18s only.", { top: 640, left: 100 + 6 * (25 - 14) });
  const elsewhere = line("Over 18s only.", { top: 640, left: 340 });

  assert.deepEqual(
    [begins, centred, elsewhere].map((lower) => supersOf([upper, lower], format).length),
    [1, 1, 2],
  );
});

test("a texture that is read as the same figure over and over is no text, a long number is", () => {
  assert.equal(isText({ text: "8.8.8.8.8.8.8.8", confidence: 0.82 }), false);
  assert.equal(isText({ text: "0800 123 4567", confidence: 0.82 }), true);
});
