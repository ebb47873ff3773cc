import assert from "node:assert/strict";
import { test } from "node:test";
import { fingerprintOf } from "./fingerprint.ts";

test("case, punctuation and spacing do not change a fingerprint; words and rules do", () => {
  const print = fingerprintOf({ ruleCode: "A", identity: "Good for  your heart!" });

  assert.equal(fingerprintOf({ ruleCode: "A", identity: "GOOD for your heart" }), print);
  assert.notEqual(fingerprintOf({ ruleCode: "A", identity: "Good for your health" }), print);
  assert.notEqual(fingerprintOf({ ruleCode: "B", identity: "Good for your heart" }), print);
});
