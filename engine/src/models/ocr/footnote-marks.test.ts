import assert from "node:assert/strict";
import { test } from "node:test";
import { tellDaggers } from "./dagger-shape.ts";
import { markFootnotes, mayHaveMarks, takeMarks } from "./footnote-marks.ts";
import { mergeAccents } from "./merge-accents.ts";
import { isOdd } from "./second-reading.ts";

function line(text: string) {
  return { text, confidence: 0.95, letters: Array.from(text, (_, index) => (index + 0.5) / text.length) };
}

test("daggers and trade marks are not letters, and every sign keeps its place", () => {
  const { text, letters } = markFootnotes(line("Our best valuet in 5 lbs TM packs+"));

  assert.equal(text, "Our best value† in 5 lbs™ packs†");
  assert.equal(letters.length, text.length);
});

test("a double dagger is told by its two bars, and a plus by its bar in the middle", () => {
  const told = (text: string, bars: number[]) => tellDaggers({ ...line(text), letters: [0.3, 0.7] }, drawn(bars)).text;

  assert.equal(told("x†", [10, 26]), "x‡");
  assert.equal(told("x+", [10]), "x†");
  assert.equal(told("x+", [22]), "x+");
});

/** A letter and behind it a mark with bars at these rows, black on white. */
function drawn(bars: number[]) {
  const [width, height] = [100, 44];
  const pixels = new Uint8Array(width * height * 3).fill(255);
  const fill = (from: { x: number; y: number }, to: { x: number; y: number }) => {
    for (let y = from.y; y < to.y; y += 1) pixels.fill(0, (y * width + from.x) * 3, (y * width + to.x) * 3);
  };
  fill({ x: 20, y: 8 }, { x: 40, y: 36 });
  fill({ x: 68, y: 6 }, { x: 72, y: 40 });
  for (const y of bars) fill({ x: 60, y }, { x: 80, y: y + 4 });
  return { width, height, pixels };
}

test("a sign behind a percentage is a footnote mark", () => {
  assert.equal(markFootnotes(line("Cuts wrinkles by 40%s in two weeks")).text, "Cuts wrinkles by 40%§ in two weeks");
});

test("words that end in t stay as they are", () => {
  for (const text of ["Select the best, don't wait", "Test it at 5pm"]) {
    assert.equal(markFootnotes(line(text)).text, text);
  }
});

test("a registered mark is taken from the other reader", () => {
  assert.equal(mayHaveMarks("Best? value"), true);
  assert.equal(mayHaveMarks("Ready? Go now"), false);
  assert.equal(takeMarks(line("Best? value"), "Best® value").text, "Best® value");
});

test("accents come from the other reader, letters do not", () => {
  assert.equal(mergeAccents(line("Fur groBere Kinder"), "Für größere Kinder").text, "Für größere Kinder");
  assert.equal(mergeAccents(line("creme brulee 20 h"), "crème brûlée 26 h").text, "crème brûlée 20 h");
});

test("English is not looked at twice; other languages and gibberish are", () => {
  for (const text of ["Terms and conditions apply", "Only £9.99", "500 ml", "Over 18s only"])
    assert.equal(isOdd(text), false, text);
  for (const text of ["Manana sera mas facil, senor", "0'779 77T X97"]) assert.equal(isOdd(text), true, text);
});
