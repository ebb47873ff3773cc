import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlashEvidence, FlashSequence } from "../../evidence/evidence.ts";
import { judge } from "../../testing/evidence.ts";

function rule(flashing: string, standard: string) {
  return { check: { kind: "flash", flashing, standard, maxPerSecond: 3, maxSeconds: 5 } };
}

function sequence(differences: Partial<FlashSequence> = {}): FlashSequence {
  return {
    kind: "general",
    standard: "broadcast",
    startSeconds: 2,
    endSeconds: 4.5,
    flashes: 10,
    maxPerSecond: 4,
    areaShare: 0.6,
    windowShare: 1,
    region: { x: 0, y: 0, width: 1, height: 0.6 },
    ...differences,
  };
}

function flashing(...sequences: FlashSequence[]): { flashes: FlashEvidence } {
  const curve = { stepSeconds: 0.1, luminance: [], generalPerSecond: [], redPerSecond: [] };
  const wcag = { maxGeneralPerSecond: 0, maxRedPerSecond: 0 };
  return { flashes: { notJudged: null, maxGeneralPerSecond: 0, maxRedPerSecond: 0, wcag, sequences, curve } };
}

test("a sequence over the limit is one finding with its rate, its area and its place", () => {
  const [finding, ...others] = judge(rule("general", "broadcast"), flashing(sequence()));

  assert.deepEqual(others, []);
  assert.equal(finding?.summary, "4 flashes in one second between 2 s and 4.5 s; at most 3 are allowed.");
  assert.match(
    finding.severityReasoning,
    /^10 flashes .* in 2\.5 s, up to 4 in one second .* over 60 % of the picture/,
  );
  assert.deepEqual(finding.measurement, { value: 4, limit: 3, unit: "flashes a second" });
  assert.deepEqual(finding.location?.region, { x: 0, y: 0, width: 1, height: 0.6 });
});

test("three a second pass", () => {
  assert.deepEqual(judge(rule("general", "broadcast"), flashing(sequence({ maxPerSecond: 3 }))), []);
});

test("red and general flashing are found by their own rules", () => {
  const red = flashing(sequence({ kind: "red" }));

  assert.deepEqual(judge(rule("general", "broadcast"), red), []);
  assert.match(judge(rule("red", "broadcast"), red)[0]?.recommendation ?? "", /take the saturated red out of it/);
});

test("flashing that fails over a quarter of the screen is not told again by WCAG's area", () => {
  const both = flashing(sequence(), sequence({ standard: "wcag" }));
  const small = flashing(sequence({ standard: "wcag", areaShare: 0.1, windowShare: 0.8 }));

  assert.deepEqual(judge(rule("general", "wcag"), both), []);
  assert.match(judge(rule("general", "wcag"), small)[0]?.severityReasoning ?? "", /over 80 % of ten degrees of sight/);
});

test("flashing within the limits that goes on for more than five seconds is found, once for both kinds", () => {
  const long = { maxPerSecond: 3, endSeconds: 8 };

  const findings = judge(rule("extended", "broadcast"), flashing(sequence(long), sequence({ ...long, kind: "red" })));

  assert.deepEqual(
    findings.map(({ summary }) => summary),
    ["Flashing goes on for 6 s, from 2 s to 8 s."],
  );
  assert.match(findings[0]?.severityReasoning ?? "", /red flashes/);
  assert.deepEqual(judge(rule("extended", "broadcast"), flashing(sequence({ maxPerSecond: 3 }))), []);
  assert.deepEqual(judge(rule("extended", "broadcast"), flashing(sequence({ endSeconds: 8 }))), []);
});

test("what could not be judged is said once, and a person is asked", () => {
  const { flashes } = flashing();
  const dark = { flashes: { ...flashes, notJudged: "HLG is not judged yet." } };

  const [finding] = judge(rule("general", "broadcast"), dark);

  assert.equal(finding?.severity, "INFO");
  assert.equal(finding.needsHuman, true);
  assert.deepEqual(judge(rule("general", "wcag"), dark), []);
  assert.deepEqual(judge(rule("red", "broadcast"), dark), []);
});
