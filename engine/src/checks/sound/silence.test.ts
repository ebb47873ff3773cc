import assert from "node:assert/strict";
import { test } from "node:test";
import type { Span } from "../../evidence/evidence.ts";
import { judge } from "../../testing/evidence.ts";

const silence = { check: { kind: "silence", maxSeconds: 2, graveSeconds: 10 } };

function span(startSeconds: number, endSeconds: number): Span {
  return { startSeconds, endSeconds };
}

test("silence inside the sound is found, at its ends it is not", () => {
  assert.deepEqual(
    judge(silence, { silences: [span(0, 5), span(8, 11), span(28, 30)] }).map(({ severity, location }) => [
      severity,
      location?.startSeconds,
    ]),
    [["MINOR", 8]],
  );
});

test("a silent sound stream is grave", () => {
  assert.equal(judge(silence, { silences: [span(0, 30)] })[0]?.severityReasoningHeadline, "Silent throughout");
  assert.equal(judge(silence, { silences: [span(0, 30)] })[0]?.severity, "MAJOR");
  assert.deepEqual(judge(silence, { silences: null }), []);
});
