import assert from "node:assert/strict";
import { test } from "node:test";
import type { Box, ReadLine } from "../../models/read-line.ts";
import { boxOfPart, changedWords } from "./changed-words.ts";

const box: Box = [
  { x: 0, y: 0 },
  { x: 200, y: 20 },
  { x: 200, y: 60 },
  { x: 0, y: 40 },
];
const text = "From £9 a day on";
const line: ReadLine = {
  text,
  confidence: 0.98,
  box,
  letters: Array.from(text, (_, index) => (index + 0.5) / text.length),
};
const change = (from: number, to: number) => ({
  cell: 0,
  from,
  to,
  strength: 0.4,
  hasGained: true,
  seconds: 2,
  beforeSeconds: 1.9,
  frames: 2,
});

test("the words whose letters seem to have changed are cut out at their spaces", () => {
  // The figure of "£9".
  const part = changedWords(line, [change(0.38, 0.41)]);

  assert.deepEqual(part, { from: 4.5 / 16, to: 7.5 / 16 });
});

test("no words are cut out where most of the line stirs, where it is one word, or where it stands on its head", () => {
  const single = { ...line, text: "Guaranteed", letters: Array.from("Guaranteed", (_, index) => (index + 0.5) / 10) };

  assert.equal(changedWords(line, [change(0.05, 0.08), change(0.8, 0.83)]), null);
  assert.equal(changedWords(single, [change(0.4, 0.43)]), null);
  assert.equal(changedWords({ ...line, isTurnedOver: true }, [change(0.38, 0.41)]), null);
});

test("a part of a line that runs askew stands askew", () => {
  assert.deepEqual(boxOfPart(box, { from: 0.25, to: 0.5 }), [
    { x: 50, y: 5 },
    { x: 100, y: 10 },
    { x: 100, y: 50 },
    { x: 50, y: 45 },
  ]);
});
