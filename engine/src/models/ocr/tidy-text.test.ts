import assert from "node:assert/strict";
import { test } from "node:test";
import { tidyText } from "./tidy-text.ts";

function tidy(text: string): string {
  return tidyText({ text, confidence: 1, letters: Array.from(text, () => 1) }).text;
}

test("an o in a number is a nought, wherever the number ends", () => {
  assert.equal(
    tidy("Lose 1okg, 1oo% safe, £5o off, 2,5oo sold, 1o years"),
    "Lose 10kg, 100% safe, £50 off, 2,500 sold, 10 years",
  );
});

test("an l behind the sign of a price is a one", () => {
  assert.equal(tidy("bet fl0 get £l5"), "bet f10 get £15");
  assert.equal(tidy("fl oz, El Niño"), "fl oz, El Niño");
});

test("letters beside figures stay where they mean something", () => {
  const text = "8oz of H2O at 20oC, 5of6, No.1only";

  assert.equal(tidy(text), text);
});

test("labels and strengths are read as they are meant", () => {
  assert.equal(tidy("Al-generated image, 4% v0l"), "AI-generated image, 4% vol");
  assert.equal(tidy("Al's bakery"), "Al's bakery");
  assert.equal(tidy("@ 2026 Example Ltd, @example"), "© 2026 Example Ltd, @example");
});
