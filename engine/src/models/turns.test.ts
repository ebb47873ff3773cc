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

test("as many at once as there may be", async () => {
  const turns = createTurns({ atOnce: 2 });
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started: number[] = [];
  const all = held.map(({ promise }, index) =>
    turns.take({}, () => {
      started.push(index);
      return promise;
    }),
  );
  await new Promise(setImmediate);
  assert.deepEqual(started, [0, 1]);

  held[1]?.resolve();
  await all[1];
  await new Promise(setImmediate);

  assert.deepEqual(started, [0, 1, 2]);
  held.forEach(({ resolve }) => resolve());
  await Promise.all(all);
});

test("one that is overdue makes room for another, and takes none when it comes back", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const turns = createTurns({ overdueMs: 1000, maxOverdue: 1 });
  const slow = Promise.withResolvers<string>();
  const hanging = turns.take({}, () => slow.promise);
  const next = turns.take({}, () => Promise.resolve("served"));
  await new Promise(setImmediate);

  t.mock.timers.tick(1000);

  assert.equal(await next, "served");
  slow.resolve("late");
  assert.equal(await hanging, "late");
  assert.equal(await turns.take({}, () => Promise.resolve("again")), "again");
});
