import assert from "node:assert/strict";
import { test } from "node:test";
import { createFairShare, type FairShare } from "./fair-share.ts";

const now = new Date("2026-11-15T12:00:00.000Z");

test("a subscription starts with few at once, gets more with each success and half with each failure", () => {
  const fairShare = createFairShare();

  assert.equal(shareOf(fairShare, "a"), 2);
  for (let i = 0; i < 40; i++) fairShare.begin("a").end({ isSuccess: true });
  assert.equal(shareOf(fairShare, "a"), 32);
  fairShare.begin("a").end({ isSuccess: false });
  fairShare.begin("a").end({ isSuccess: false });
  fairShare.begin("a").end({ isSuccess: true });
  assert.equal(shareOf(fairShare, "a"), 9);
});

test("what is running is taken off the share", () => {
  const fairShare = createFairShare();
  fairShare.begin("a");

  assert.equal(shareOf(fairShare, "a"), 1);
});

test("one that failed pauses, longer each time and at most a second, and is looked at again then", () => {
  let time = 0;
  const fairShare = createFairShare({ clock: () => time });
  const pauses = Array.from({ length: 9 }, () => {
    fairShare.begin("a").end({ isSuccess: false });
    const { shares, lookAgainMs } = fairShare.deal([{ subscriptionId: "a", dueAt: now }], now);
    assert.deepEqual(shares, []);
    time += lookAgainMs;
    assert.equal(shareOf(fairShare, "a") > 0, true);
    return lookAgainMs;
  });

  assert.deepEqual(pauses, [20, 40, 80, 160, 320, 640, 1000, 1000, 1000]);
});

test("places that receivers hold for long do not count against those that answer", () => {
  let time = 0;
  const fairShare = createFairShare({
    clock: () => time,
    places: { proven: 5, new: 6, slow: 5, maxNewAndSlow: 7 },
  });
  fairShare.begin("proven").end({ isSuccess: true });
  for (const name of ["h1", "h2", "h3"]) for (let i = 0; i < 2; i++) fairShare.begin(name);
  assert.deepEqual(
    ["proven", "h1", "new"].map((name) => shareOf(fairShare, name)),
    [3, 0, 0],
  );

  time += 501;

  assert.deepEqual(
    ["proven", "h1", "new"].map((name) => shareOf(fairShare, name)),
    [3, 0, 1],
  );
});

test("with fewer places than subscriptions each has its turn by chance, soon", () => {
  const fairShare = createFairShare({ places: { ...manyPlaces, new: 2 } });
  const waiting = ["a", "b", "c", "d", "e"].map((subscriptionId) => ({ subscriptionId, dueAt: now }));
  const served = new Set<string>();

  for (let i = 0; i < 200; i++) {
    const { shares, isCrowded, lookAgainMs } = fairShare.deal(waiting, now);
    assert.deepEqual([shares.length, isCrowded, lookAgainMs], [2, true, 100]);
    for (const { subscriptionId } of shares) served.add(subscriptionId);
  }

  assert.equal(served.size, 5);
});

test("no more places are dealt than there are, and as equally as there is room", () => {
  const fairShare = createFairShare({ places: { ...manyPlaces, new: 5 } });
  fairShare.begin("a");
  const waiting = ["a", "b", "c"].map((subscriptionId) => ({ subscriptionId, dueAt: now }));

  const { shares } = fairShare.deal(waiting, now);

  assert.deepEqual(
    shares.map(({ most }) => most),
    [1, 1, 2],
  );
});

test("what is due later, or held by its receiver, waits until then", () => {
  const fairShare = createFairShare();
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  fairShare.begin("held").end({ isSuccess: true, holdUntil: later(700) });

  const early = fairShare.deal([{ subscriptionId: "due", dueAt: later(400) }], now);
  const held = fairShare.deal([{ subscriptionId: "held", dueAt: now }], now);
  const free = fairShare.deal([{ subscriptionId: "held", dueAt: now }], later(700));

  assert.deepEqual([early.shares, early.lookAgainMs], [[], 400]);
  assert.deepEqual([held.shares, held.lookAgainMs], [[], 700]);
  assert.equal(free.shares.length, 1);
});

const manyPlaces = { proven: 100, new: 100, slow: 100, maxNewAndSlow: 200 };

function shareOf(fairShare: FairShare, subscriptionId: string): number {
  return fairShare.deal([{ subscriptionId, dueAt: now }], now).shares[0]?.most ?? 0;
}
