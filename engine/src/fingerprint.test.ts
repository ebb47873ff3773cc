import assert from "node:assert/strict";
import { test } from "node:test";
import { fingerprintOf } from "./fingerprint.ts";

test("case, punctuation and spacing do not change a fingerprint; words and rules do", () => {
  const print = fingerprintOf({ ruleCode: "A", sameness: "Good for  your heart!" });

  assert.equal(fingerprintOf({ ruleCode: "A", sameness: "GOOD for your heart" }), print);
  assert.notEqual(fingerprintOf({ ruleCode: "A", sameness: "Good for your health" }), print);
  assert.notEqual(fingerprintOf({ ruleCode: "B", sameness: "Good for your heart" }), print);
});
