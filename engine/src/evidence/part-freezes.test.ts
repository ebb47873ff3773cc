import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSuper } from "../testing/evidence.ts";
import { partFreezes } from "./part-freezes.ts";

const whole = [{ startSeconds: 0, endSeconds: 6 }];

test("a stretch in which a super changes is not frozen as a whole, and none lasts longer than the file", () => {
  const prices = [
    makeSuper("Only £9.99", { startSeconds: 0, endSeconds: 2 }),
    makeSuper("Only £8.99", { startSeconds: 2, endSeconds: 4 }),
    makeSuper("Only £7.99", { startSeconds: 4, endSeconds: 6 }),
  ];

  const parted = partFreezes(whole, { supers: { supers: prices, readerCalls: 3 }, durationSeconds: 5.5 });

  assert.deepEqual(parted, [
    { startSeconds: 0, endSeconds: 2 },
    { startSeconds: 2, endSeconds: 4 },
    { startSeconds: 4, endSeconds: 5.5 },
  ]);
});

test("a stretch through which a line runs is not frozen, and one whose super stands is", () => {
  const stands = makeSuper("Only £9.99", { startSeconds: 0, endSeconds: 6 });

  const frozen = partFreezes(whole, { supers: { supers: [stands], readerCalls: 1 }, durationSeconds: 6 });
  const run = partFreezes(whole, {
    supers: { supers: [{ ...stands, isMoving: true }], readerCalls: 1 },
    durationSeconds: 6,
  });

  assert.deepEqual([frozen, run], [whole, []]);
});
