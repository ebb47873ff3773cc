import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

test("one at a time, and each caller gets a turn before one gets its second", async () => {
  const turns = createTurns();
  const [greedy, modest] = [{}, {}];
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    assert.equal(running, 1);
    await new Promise(setImmediate);
    order.push(name);
    running -= 1;
  };

  await Promise.all([
    turns.take(greedy, work("a1")),
    turns.take(greedy, work("a2")),
    turns.take(greedy, work("a3")),
    turns.take(modest, work("b1")),
    turns.take(modest, work("b2")),
  ]);

  assert.deepEqual(order, ["a1", "a2", "b1", "a3", "b2"]);
});

test("a failure is the caller's own, and the next one has its turn", async () => {
  const turns = createTurns();

  const failing = turns.take({}, () => Promise.reject(new Error("mine")));
  const next = turns.take({}, () => Promise.resolve("done"));

  await assert.rejects(failing, /mine/);
  assert.equal(await next, "done");
});
