import assert from "node:assert/strict";
import { test } from "node:test";
import { createSpeechCutter, type SpeechCut, windowSeconds } from "./speech-cutter.ts";

/** Voice and pause by turns, in seconds, each as [likelihood, seconds]. */
function cut(...stretches: [likelihood: number, seconds: number][]): { startSeconds: number; endSeconds: number }[] {
  const cutter = createSpeechCutter();
  const cuts: SpeechCut[] = [];
  const keep = (found: SpeechCut | null) => {
    if (found !== null) cuts.push(found);
  };
  for (const [likelihood, seconds] of stretches) {
    for (let n = 0; n < Math.round(seconds / windowSeconds); n += 1) keep(cutter.push(likelihood));
  }
  keep(cutter.finish());
  return cuts.map(({ start, end }) => ({ startSeconds: start * windowSeconds, endSeconds: end * windowSeconds }));
}

function assertSpans(found: { startSeconds: number; endSeconds: number }[], expected: [number, number][]): void {
  assert.equal(found.length, expected.length, JSON.stringify(found));
  for (const [index, span] of found.entries()) {
    const [start, end] = expected[index] ?? [NaN, NaN];
    assert.ok(Math.abs(span.startSeconds - start) < 0.1 && Math.abs(span.endSeconds - end) < 0.1, JSON.stringify(span));
  }
}

test("two sentences with a pause of a second between them are two stretches", () => {
  assertSpans(cut([0, 1], [0.9, 2], [0.05, 1], [0.9, 3], [0, 1]), [
    [1, 3],
    [4, 7],
  ]);
});

test("a short pause within a short sentence does not cut it, but ends a long one", () => {
  assertSpans(cut([0.9, 2], [0, 0.3], [0.9, 1], [0, 1]), [[0, 3.3]]);
  assertSpans(cut([0.9, 9], [0, 0.3], [0.9, 1], [0, 1]), [
    [0, 9],
    [9.3, 10.3],
  ]);
});

test("speech without a pause is cut within 12 s, at its quietest moment", () => {
  assertSpans(cut([0.95, 9], [0.6, 0.1], [0.95, 11], [0, 1]), [
    [0, 9],
    [9, 20.1],
  ]);
});

test("speech that the end of the sound cuts off is not lost", () => {
  assertSpans(cut([0, 1], [0.9, 2]), [[1, 3]]);
});

test("blips neither begin a stretch nor draw it out", () => {
  assertSpans(cut([0, 1], [0.9, 0.064], [0, 1], [0.9, 2], [0, 0.3], [0.9, 0.064], [0, 1]), [[2.064, 4.064]]);
});

test("nothing is kept of what is over, and a whole stretch while it lasts", () => {
  const cutter = createSpeechCutter();
  const push = (likelihood: number, seconds: number) => {
    for (let n = 0; n < seconds / windowSeconds; n += 1) cutter.push(likelihood);
  };

  push(0, 3600);
  const inSilence = cutter.neededFrom() * windowSeconds;
  push(0.9, 5);
  const inSpeech = cutter.neededFrom() * windowSeconds;

  assert.ok(Math.abs(inSilence - 3600) < 0.2);
  assert.ok(Math.abs(inSpeech - 3600) < 0.2);
});
