import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, makeSound as sound } from "../../testing/evidence.ts";

const peak = { check: { kind: "true-peak", standard: "EBU R 128", maxDbtp: -1 } };

test("peaks within the limit are not found", () => {
  assert.deepEqual(judge(peak, { loudness: sound(-23, { truePeakDbtp: -1 }) }), []);
  assert.deepEqual(judge(peak, { loudness: sound(-23, { truePeakDbtp: null }) }), []);
});

test("peaks over the limit are minor within the meter's tolerance, grave beyond it, and critical where they clip", () => {
  const severityAt = (truePeakDbtp: number) => judge(peak, { loudness: sound(-23, { truePeakDbtp }) })[0]?.severity;

  assert.deepEqual([-0.8, -0.5, 0.4].map(severityAt), ["MINOR", "MAJOR", "CRITICAL"]);
});

test("a peak is told with how much to take off", () => {
  const [finding] = judge(peak, { loudness: sound(-23, { truePeakDbtp: 0.42 }) });

  assert.equal(finding?.summary, "The sound peaks at +0.4 dBTP; the most for EBU R 128 is −1 dBTP.");
  assert.match(finding.severityReasoning, /\+0\.4 − \(−1\) = \+1\.4 dB over the maximum/);
  assert.match(finding.recommendation, /true-peak limiter \(at least 1\.4 dB less\)/);
});
