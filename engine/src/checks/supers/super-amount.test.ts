import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { judge, makeSuper } from "../../testing/evidence.ts";

const legal = "Subject to status. Over 18s only. UK residents.";
const rule = { check: { kind: "super-amount", maxTexts: 1, maxLines: 2 } };

function find(...supers: Super[]) {
  return judge(rule, { supers: { supers, readerCalls: 0 } });
}

test("two disclaimers at once are one finding that names both", () => {
  const top = { x: 0.1, y: 0.1, width: 0.8, height: 0.05 };
  const findings = find(makeSuper(legal), makeSuper("Offer ends 31 May 2027.", { region: top }));

  assert.equal(findings.length, 1);
  assert.match(findings[0]?.summary ?? "", /^There are 2 texts in 2 lines of small print on screen at once/);
  assert.match(findings[0]?.severityReasoning ?? "", /“Offer ends 31 May 2027\.” \(one line\)/);
});

test("one disclaimer of three lines is too much, one of two is not", () => {
  assert.equal(find(makeSuper(`${legal}\n${legal}\n${legal}`))[0]?.measurement?.value, 3);
  assert.deepEqual(find(makeSuper(`${legal}\n${legal}`)), []);
});
