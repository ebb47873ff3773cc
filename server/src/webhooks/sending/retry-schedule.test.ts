import assert from "node:assert/strict";
import { test } from "node:test";
import { nextAttempt, parseRetryAfter } from "./retry-schedule.ts";

const now = new Date("2026-11-15T12:00:00.000Z");

test("attempts follow at 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then no more", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => nextAttempt({ failures, now, random: () => 0 }));

  assert.deepEqual(
    delays.map((at) => at && (at.getTime() - now.getTime()) / 1000),
    [5, 300, 1800, 7200, 18_000, 36_000, 36_000, null],
  );
});

test("jitter spreads an attempt over a tenth of its delay, never before it", () => {
  const latest = nextAttempt({ failures: 2, now, random: () => 0.999_999 });

  assert.equal(Math.round(((latest?.getTime() ?? 0) - now.getTime()) / 1000), 330);
});

test("Retry-After makes a wait longer, never shorter", () => {
  const seconds = (retryAfterSeconds: number) =>
    ((nextAttempt({ failures: 1, now, retryAfterSeconds, random: () => 0 })?.getTime() ?? 0) - now.getTime()) / 1000;

  assert.deepEqual([seconds(120), seconds(1)], [120, 5]);
});

for (const [text, seconds] of [
  ["120", 120],
  [" 7 ", 7],
  ["0", 0],
  ["999999999", 86_400],
  ["Sun, 15 Nov 2026 12:01:30 GMT", 90],
  ["Sun, 15 Nov 2020 12:01:30 GMT", 0],
  ["Tue, 15 Nov 2095 12:01:30 GMT", 86_400],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
] as const)
  test(`Retry-After ${text} is ${seconds} s`, () => {
    assert.equal(parseRetryAfter(text, now), seconds);
  });
