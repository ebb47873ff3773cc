import assert from "node:assert/strict";
import { test } from "node:test";
import type { Span } from "../../evidence/evidence.ts";
import { judge } from "../../testing/evidence.ts";

const black = { check: { kind: "black", maxSeconds: 1, graveSeconds: 3 } };

function span(startSeconds: number, endSeconds: number): Span {
  return { startSeconds, endSeconds };
}

test("black inside the film is minor up to three seconds and grave beyond", () => {
  const findings = judge(black, { black: [span(5, 7), span(12, 15.5)], silences: [] });

  assert.deepEqual(
    findings.map(({ severity, location }) => [severity, location?.startSeconds]),
    [
      ["MINOR", 5],
      ["MAJOR", 12],
    ],
  );
  assert.equal(findings[0]?.summary, "The picture is black for 2 s, from 5 s to 7 s.");
  assert.deepEqual(findings[0].measurement, { value: 2, limit: 1, unit: "s" });
  assert.notEqual(findings[0].fingerprint, findings[1]?.fingerprint);
});

test("black at the beginning, at the end, behind a slate, and for a moment is left alone", () => {
  assert.deepEqual(judge(black, { black: [span(0, 4), span(26, 30), span(15, 16)] }), []);
  assert.deepEqual(judge(black, { black: [span(7, 10)], silences: [span(0, 10.1)] }), []);
  assert.deepEqual(judge(black, { black: [span(5, 7.02)], silences: null }), []);
});

test("black from beginning to end is one finding", () => {
  const [finding, ...others] = judge(black, { black: [span(0, 30)] });

  assert.deepEqual(others, []);
  assert.equal(finding?.severity, "MAJOR");
  assert.equal(finding.summary, "The picture is black from beginning to end (30 s).");
});

test("a film that goes black again and again has one finding that says how often", () => {
  const spans = Array.from({ length: 8 }, (_, index) => span(2 + 3 * index, 3.5 + 3 * index));
  const findings = judge(black, { black: spans });

  assert.equal(findings.length, 1);
  assert.match(findings[0]?.summary ?? "", /, and in 7 more places\.$/);
  assert.match(
    findings[0]?.severityReasoning ?? "",
    /The same happens in 7 more places: at 5 s, 8 s, 11 s, 14 s, 17 s and later\./,
  );
});
