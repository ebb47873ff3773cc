import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { judge, makeSuper } from "../../testing/evidence.ts";

const legal = "Subject to status. Over 18s only. UK residents.";
const rule = { check: { kind: "super-motion" } };

function find(...supers: Super[]) {
  return judge(rule, { supers: { supers, readerCalls: 0 } });
}

test("small print that crawls from side to side is found; a roll of credits and still text are not", () => {
  const band = { x: 0, y: 0.9, width: 1, height: 0.06 };
  const roll = { x: 0.2, y: 0, width: 0.6, height: 1 };

  assert.match(find(makeSuper(legal, { isMoving: true, region: band }))[0]?.summary ?? "", /crawls across/);
  assert.deepEqual(find(makeSuper(legal, { isMoving: true, region: roll })), []);
  assert.deepEqual(find(makeSuper(legal)), []);
});
