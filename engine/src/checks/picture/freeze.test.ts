import assert from "node:assert/strict";
import { test } from "node:test";
import type { Span } from "../../evidence/evidence.ts";
import { judge } from "../../testing/evidence.ts";

const freeze = { check: { kind: "freeze", maxSeconds: 2, graveSeconds: 5 } };

function span(startSeconds: number, endSeconds: number): Span {
  return { startSeconds, endSeconds };
}

test("a picture that stands still is found; its held last frame, its slate and black are not", () => {
  assert.deepEqual(
    judge(freeze, { freezes: [span(4, 7), span(10, 16), span(25, 30)], black: [] }).map(({ severity }) => severity),
    ["MINOR", "MAJOR"],
  );
  assert.deepEqual(judge(freeze, { freezes: [span(4, 8)], black: [span(4, 7.9)] }), []);
  assert.deepEqual(
    judge(freeze, { freezes: [span(0, 7), span(7, 10)], black: [span(7, 10)], silences: [span(0, 10)] }),
    [],
  );
});

test("a last frame that is held for far too long is found", () => {
  assert.equal(judge(freeze, { freezes: [span(12, 30)], black: [] })[0]?.severity, "MAJOR");
});

test("one still picture throughout is minor, because it may be meant", () => {
  assert.equal(judge(freeze, { freezes: [span(0, 30)], black: [] })[0]?.severity, "MINOR");
  assert.deepEqual(judge(freeze, { freezes: [span(0, 30)], black: [span(0, 30)] }), []);
});
