import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { judge, makeSpeech, makeSuper } from "../../testing/evidence.ts";

const uk = {
  check: {
    kind: "super-hold",
    reading: { perWordSeconds: 0.2, recognitionSeconds: 2, longRecognitionSeconds: 3, longFromWords: 10 },
    countsAllText: true,
  },
};
const us = {
  check: { kind: "super-hold", reading: { firstLineSeconds: 3, furtherLineSeconds: 1 }, countsAllText: false },
};
const top = { region: { x: 0.1, y: 0.1, width: 0.8, height: 0.05 } };

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${"abcdefghijklmnopqrstuvwxyz"[index]}`).join(" ");
}

function held(seconds: number, startSeconds = 10): Partial<Super> {
  return { startSeconds, endSeconds: startSeconds + seconds };
}

function find(supers: Super[], rule: { check: { kind: string } } = uk, speech = makeSpeech()) {
  return judge(rule, { supers: { supers, readerCalls: 0 }, speech });
}

for (const [count, needed] of [
  [5, 3],
  [9, 3.8],
  [10, 5],
  [20, 7],
] as const) {
  test(`${count} words need ${needed} s`, () => {
    assert.deepEqual(find([makeSuper(words(count), held(needed))]), []);
    assert.equal(find([makeSuper(words(count), held(needed - 0.5))])[0]?.measurement?.limit, needed);
  });
}

test("the arithmetic is in the reasoning, and what to change in the recommendation", () => {
  const [finding] = find([makeSuper(words(16), held(4.1))]);

  assert.equal(finding?.severity, "MAJOR");
  assert.equal(finding.severityReasoningHeadline, "Held 4.1 s; needs 6.2 s");
  assert.match(finding.severityReasoning, /^Held 4\.1 s; needs 6\.2 s = 16 words × 0\.2 s \+ 3 s\./);
  assert.equal(
    finding.recommendation,
    "Hold the text for at least 6.2 s (2.1 s longer), or cut what is on screen to 9 words.",
  );
  assert.deepEqual(finding.measurement, { value: 4.1, limit: 6.2, unit: "s" });
});

test("two frames too few are minor", () => {
  const [finding] = find([makeSuper(words(10), held(4.92))]);

  assert.equal(finding?.severity, "MINOR");
  assert.match(finding.severityReasoning, /within the two frames \(0\.08 s\)/);
});

test("two texts of small print at once are read together, and found once", () => {
  const findings = find([
    makeSuper(words(10), held(5.5)),
    makeSuper("Another text of ten words stands at the very top", { ...held(5.5), ...top }),
  ]);

  assert.equal(findings.length, 1);
  assert.equal(findings[0]?.severity, "MAJOR");
  assert.match(findings[0].severityReasoning, /needs 7 s = 20 words × 0\.2 s \+ 3 s\. On screen at the same time/);
  assert.match(findings[0].recommendation, /or show the texts one after the other/);
});

test("texts of which one ends as the other begins are timed each for itself", () => {
  const texts = [
    makeSuper(words(10), held(5.5, 5)),
    makeSuper("Another text of ten words stands at the very top", { ...held(5.5, 10), ...top }),
  ];

  assert.deepEqual(find(texts), []);
});

test("too short only because of a large claim beside it is minor, and a person decides what counts", () => {
  const claim = { ...held(5.2), ...top, heightShare: 0.1, heightLines: 108 };
  const [finding, ...others] = find([
    makeSuper(words(10), held(5.2)),
    makeSuper("Coffee that wakes the street", claim),
  ]);

  assert.deepEqual(others, []);
  assert.equal(finding?.severity, "MINOR");
  assert.equal(finding.needsHuman, true);
  assert.match(finding.severityReasoning, /leave out brand names/);
});

test("claims that follow one another beside it are not added up", () => {
  const claim = { ...top, heightShare: 0.1, heightLines: 108 };
  const texts = [
    makeSuper(words(5), held(4)),
    makeSuper("Coffee that wakes the street", { ...claim, ...held(2) }),
    makeSuper("Tea that sends it to sleep", { ...claim, ...held(2, 12) }),
  ];

  const [finding] = find(texts);

  assert.match(
    finding?.severityReasoning ?? "",
    /needs 5\.2 s = 11 words .*counted: “Tea that sends it to sleep” \(6 words\)\./,
  );
});

test("a brand name and a second copy of the same text are not counted", () => {
  const texts = [
    makeSuper(words(10), held(5.2)),
    makeSuper(words(10), { ...held(5.2), ...top }),
    makeSuper("ACME Coffee", { ...held(5.2), ...top, heightShare: 0.1, heightLines: 108 }),
  ];

  assert.deepEqual(find(texts), []);
});

test("burnt-in subtitles are not held against the film", () => {
  const line = "I never thought that coffee could ever be this good";

  assert.deepEqual(find([makeSuper(line, held(2.5))], uk, makeSpeech([10, 12.5, line])), []);
  assert.equal(find([makeSuper(line, held(2.5))]).length, 1);
});

test("lines count where the rule goes by lines", () => {
  const text = `${words(5)}\n${words(6)}\n${words(7)}`;
  const [finding] = find([makeSuper(text, held(4))], us);

  assert.match(finding?.severityReasoning ?? "", /needs 5 s = 3 s for the first line \+ 2 further lines × 1 s\./);
  assert.deepEqual(find([makeSuper(text, held(5))], us), []);
});

test("moving text that is on screen for too short a time as a whole is found, and said to move", () => {
  const [finding] = find([makeSuper(words(20), { ...held(4), isMoving: true })]);

  assert.match(finding?.severityReasoning ?? "", /It moves, so each word is on screen for less time/);
});
