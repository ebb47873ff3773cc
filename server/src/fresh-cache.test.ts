import assert from "node:assert/strict";
import { test } from "node:test";
import { createFreshCache } from "./fresh-cache.ts";

function counting<Value>(read: (key: string) => Promise<Value>, freshMs = 60_000) {
  const reads: string[] = [];
  const cache = createFreshCache({
    freshMs,
    read: (key: string) => {
      reads.push(key);
      return read(key);
    },
  });
  return { cache, reads, get: (key: string) => cache.get(key, key) };
}

test("requests that arrive during a read share it, and a fresh value is not read again", async () => {
  const { get, reads } = counting(async (key) => key.toUpperCase());

  assert.deepEqual(await Promise.all([get("a"), get("a")]), ["A", "A"]);
  assert.equal(await get("a"), "A");
  assert.deepEqual(reads, ["a"]);
});

test("a value is read again when it is too old, and after clear", async () => {
  const old = counting(async (key) => key, 0);
  await old.get("a");
  await old.get("a");
  assert.deepEqual(old.reads, ["a", "a"]);

  const cleared = counting(async (key) => key);
  await cleared.get("a");
  cleared.cache.clear();
  await cleared.get("a");
  assert.deepEqual(cleared.reads, ["a", "a"]);
});

test("nothing is kept of a read that failed or found nothing", async () => {
  const failing = counting(async () => Promise.reject(new Error("no database")));
  await assert.rejects(failing.get("a"), /no database/);
  await assert.rejects(failing.get("a"), /no database/);
  assert.deepEqual(failing.reads, ["a", "a"]);

  const empty = counting(async () => undefined);
  await empty.get("a");
  await empty.get("a");
  assert.deepEqual(empty.reads, ["a", "a"]);
});

test("the entry that was read first goes when there are too many", async () => {
  const { get, reads } = counting(async (key) => key);
  for (let number = 0; number <= 10_000; number++) await get(String(number));
  reads.length = 0;

  await get("1");
  await get("0");

  assert.deepEqual(reads, ["0"]);
});
