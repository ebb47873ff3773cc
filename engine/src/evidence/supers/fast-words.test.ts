import assert from "node:assert/strict";
import { test } from "node:test";
import { findFastWords, joinSpans } from "./fast-words.ts";
import type { SuperLine } from "./super-lines.ts";

/** Words that stand for `hold` seconds each, one every `step`, in the middle of the picture. */
function words(texts: string[], given: { hold: number; step: number; moveBy?: number }): SuperLine[] {
  return texts.map((text, index) => {
    const startSeconds = 2 + index * given.step;
    const top = 300 + index * (given.moveBy ?? 0);
    return {
      text,
      confidence: 0.99,
      startSeconds,
      endSeconds: startSeconds + given.hold,
      height: 60,
      contrast: 10,
      extent: { left: 640 - 30 * text.length, right: 640 + 30 * text.length, top, bottom: top + 90 },
      isMoving: false,
      motion: { velocity: { x: 0, y: 0 }, seconds: startSeconds, top },
    };
  });
}

test("words that come too fast to be read one by one are named as one stretch", () => {
  const [span, ...others] = findFastWords(words(["TEN", "WEEK", "MIRACLE", "CURES"], { hold: 0.2, step: 0.4 }), []);

  assert.deepEqual(others, []);
  assert.ok(Math.abs((span?.startSeconds ?? 0) - 2) < 0.01 && Math.abs((span?.endSeconds ?? 0) - 3.4) < 0.01);
});

test("words that were all read, stand long enough or come now and then are not named", () => {
  const said = ["LOSE", "TEN", "KILOS", "IN"];

  assert.deepEqual(findFastWords(words(said, { hold: 0.32, step: 0.32 }), []), []);
  assert.deepEqual(findFastWords(words(said, { hold: 0.6, step: 0.9 }), []), []);
  assert.deepEqual(findFastWords(words(said, { hold: 0.2, step: 1.4 }), []), []);
  assert.deepEqual(findFastWords(words(said.slice(0, 2), { hold: 0.2, step: 0.4 }), []), []);
});

test("a word that blinks, figures and words in other places are not named", () => {
  assert.deepEqual(findFastWords(words(["NEW", "NEW", "NEW", "NEW"], { hold: 0.2, step: 0.4 }), []), []);
  assert.deepEqual(findFastWords(words(["4", "3", "2", "1"], { hold: 0.2, step: 0.4 }), []), []);
  assert.deepEqual(findFastWords(words(["LOSE", "TEN", "KILOS"], { hold: 0.2, step: 0.4, moveBy: 100 }), []), []);
});

test("what the reader had no time for is named after such words, and not beside a clock", () => {
  const missed = [{ startSeconds: 3.3, endSeconds: 3.5 }];
  const said = words(["LOSE", "TEN", "KILOS", "IN"], { hold: 0.32, step: 0.32 });

  assert.deepEqual(findFastWords(said, missed), missed);
  assert.deepEqual(findFastWords(words(["4", "3", "2", "1"], { hold: 0.32, step: 0.32 }), missed), []);
  assert.deepEqual(findFastWords(said, [{ startSeconds: 8, endSeconds: 9 }]), []);
});

test("stretches that overlap or lie close together are named as one, and none is lost", () => {
  const spans = [
    { startSeconds: 3, endSeconds: 4 },
    { startSeconds: 1, endSeconds: 10 },
    { startSeconds: 10.5, endSeconds: 11 },
    { startSeconds: 20, endSeconds: 21 },
  ];

  assert.deepEqual(joinSpans(spans), [
    { startSeconds: 1, endSeconds: 11 },
    { startSeconds: 20, endSeconds: 21 },
  ]);
});
