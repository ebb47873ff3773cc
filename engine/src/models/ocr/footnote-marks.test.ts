import assert from "node:assert/strict";
import { test } from "node:test";
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
