import assert from "node:assert/strict";
import { test } from "node:test";
import type { PatternEvidence } from "../../evidence/evidence.ts";
import { judge } from "../../testing/evidence.ts";

const stripes = {
  check: {
    kind: "regular-pattern",
    maxPairs: { still: 8, moving: 12, reversing: 5 },
    maxAreaShare: { still: 0.4, moving: 0.4, reversing: 0.25 },
    minNits: 50,
    minSeconds: 0.5,
  },
};

function pattern(differences: Partial<PatternEvidence["patterns"][number]> = {}): { patterns: PatternEvidence } {
  const found = {
    startSeconds: 1,
    endSeconds: 3,
    pairs: 9,
    areaShare: 0.5,
    brightNits: 160,
    motion: "still" as const,
    region: null,
    ...differences,
  };
  return { patterns: { notJudged: null, patterns: [found] } };
}

test("stripes are found with their number, area, light and time", () => {
  const [finding] = judge(stripes, pattern());

  assert.equal(finding?.summary, "9 pairs of light and dark stripes cover 50 % of the picture from 1 s to 3 s.");
  assert.equal(finding.severityReasoningHeadline, "9 stripe pairs over 50 %; limits 8 pairs, 40 %");
  assert.match(finding.severityReasoning, /about 160 cd\/m², over 50 % of the picture for 2 s/);
});

test("how many stripes are too many depends on how they move", () => {
  assert.deepEqual(judge(stripes, pattern({ pairs: 8 })), []);
  assert.deepEqual(judge(stripes, pattern({ motion: "moving" })), []);
  assert.equal(judge(stripes, pattern({ motion: "reversing", pairs: 6, areaShare: 0.3 })).length, 1);
});

test("few, small, dark and short stripes are left alone", () => {
  assert.deepEqual(judge(stripes, pattern({ areaShare: 0.4 })), []);
  assert.deepEqual(judge(stripes, pattern({ brightNits: 50 })), []);
  assert.deepEqual(judge(stripes, pattern({ endSeconds: 1.4 })), []);
});
