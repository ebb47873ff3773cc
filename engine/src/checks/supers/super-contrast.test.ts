import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { judge, makeSuper } from "../../testing/evidence.ts";

const legal = "Subject to status. Over 18s only. UK residents.";
const rule = { check: { kind: "super-contrast", minRatio: 4.5, severeBelowRatio: 3 } };

function find(...supers: Super[]) {
  return judge(rule, { supers: { supers, readerCalls: 0 } });
}

test("small print of too little contrast is minor from 3:1 on and grave below", () => {
  const [faint] = find(makeSuper(legal, { contrastRatio: 3.4 }));
  const [lost] = find(makeSuper(legal, { contrastRatio: 1.8 }));

  assert.deepEqual([faint?.severity, lost?.severity], ["MINOR", "MAJOR"]);
  assert.equal(lost?.severityReasoningHeadline, "Contrast 1.8:1; 4.5:1 needed");
  assert.deepEqual(lost?.measurement, { value: 1.8, limit: 4.5, unit: ":1" });
});

test("contrast that suffices or could not be told is not found", () => {
  assert.deepEqual(find(makeSuper(legal, { contrastRatio: 4.5 })), []);
  assert.deepEqual(find(makeSuper(legal, { contrastRatio: null })), []);
});
