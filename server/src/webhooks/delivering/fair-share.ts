/** A subscription with something to send, and when the earliest of it is due. */
export type Waiting = { subscriptionId: string; dueAt: Date };

export type Share = { subscriptionId: string; most: number };

export type FairShare = {
  /** How many deliveries of which subscription to start now, after how long to look again, and whether some got no place. */
  deal(waiting: readonly Waiting[], now: Date): { shares: Share[]; lookAgainMs: number; isCrowded: boolean };
  begin(subscriptionId: string): { end(result: { isSuccess: boolean; holdUntil?: Date | undefined }): void };
};

/** What this process has seen of a receiver. */
type Receiver = {
  /** When the attempts that are running began, oldest first. */
  running: Map<symbol, number>;
  /** How many may run at once: grows with each success, halves with each failure. */
  limit: number;
  failuresInARow: number;
  readyAt: number;
  lastDurationMs: number;
  /** By the service's clock: the receiver asked to be left alone until then. */
  holdUntil: Date | undefined;
};

const firstLimit = 4;
const mostPerSubscription = 32;
const slowMs = 1000;
const longestPauseMs = 1000;
const idleMs = 1000;
const receiversKept = 10_000;

/**
 * Divides a process's attempts among subscriptions so that receivers which hang, crawl or fail cannot take what the
 * others need: those have places of their own, and one that turns slow stops counting against the places of the fast.
 */
export function createFairShare({
  fastPlaces = 256,
  slowPlaces = 256,
  mostRunning = 1024,
  clock = () => performance.now(),
} = {}): FairShare {
  const receivers = new Map<string, Receiver>();

  function receiverOf(subscriptionId: string): Receiver {
    const known = receivers.get(subscriptionId);
    if (known) return known;
    if (receivers.size >= receiversKept)
      for (const [id, { running }] of receivers) if (running.size === 0) receivers.delete(id);
    const receiver = newReceiver();
    receivers.set(subscriptionId, receiver);
    return receiver;
  }

  return {
    deal(waiting, now) {
      const time = clock();
      const taken = { fast: 0, slow: 0 };
      for (const receiver of receivers.values())
        taken[isSlow(receiver, time) ? "slow" : "fast"] += receiver.running.size;

      let lookAgainMs = idleMs;
      const rooms = { fast: [] as Share[], slow: [] as Share[] };
      for (const { subscriptionId, dueAt } of waiting) {
        const receiver = receiverOf(subscriptionId);
        const waitMs = Math.max(
          dueAt.getTime() - now.getTime(),
          (receiver.holdUntil?.getTime() ?? 0) - now.getTime(),
          receiver.readyAt - time,
        );
        if (waitMs > 0) lookAgainMs = Math.min(lookAgainMs, waitMs);
        else if (receiver.limit > receiver.running.size)
          rooms[isSlow(receiver, time) ? "slow" : "fast"].push({
            subscriptionId,
            most: receiver.limit - receiver.running.size,
          });
      }

      const free = mostRunning - taken.fast - taken.slow;
      const fast = divide(rooms.fast, Math.min(fastPlaces - taken.fast, free));
      const slow = divide(rooms.slow, Math.min(slowPlaces - taken.slow, free - sum(fast)));
      const isCrowded = fast.length < rooms.fast.length || slow.length < rooms.slow.length;
      return { shares: [...fast, ...slow], lookAgainMs, isCrowded };
    },

    begin(subscriptionId) {
      const receiver = receiverOf(subscriptionId);
      const attempt = Symbol("attempt");
      const startedAt = clock();
      receiver.running.set(attempt, startedAt);
      return {
        end({ isSuccess, holdUntil }) {
          const time = clock();
          receiver.running.delete(attempt);
          receiver.lastDurationMs = time - startedAt;
          receiver.holdUntil = holdUntil ?? receiver.holdUntil;
          if (isSuccess) {
            receiver.failuresInARow = 0;
            receiver.readyAt = 0;
            receiver.limit = Math.min(receiver.limit + 1, mostPerSubscription);
          } else {
            receiver.failuresInARow++;
            receiver.limit = Math.max(1, Math.floor(receiver.limit / 2));
            receiver.readyAt = time + Math.min(10 * 2 ** Math.min(receiver.failuresInARow, 20), longestPauseMs);
          }
        },
      };
    },
  };
}

function newReceiver(): Receiver {
  return {
    running: new Map(),
    limit: firstLimit,
    failuresInARow: 0,
    readyAt: 0,
    lastDurationMs: 0,
    holdUntil: undefined,
  };
}

function isSlow({ failuresInARow, lastDurationMs, running }: Receiver, time: number): boolean {
  const [oldest = time] = running.values();
  return failuresInARow > 0 || lastDurationMs > slowMs || time - oldest > slowMs;
}

/** Everybody gets the same, but nobody more than there is room for; with less than one for each, chance decides. */
function divide(rooms: Share[], places: number): Share[] {
  if (places < rooms.length)
    return shuffle(rooms)
      .slice(0, Math.max(0, places))
      .map(({ subscriptionId }) => ({ subscriptionId, most: 1 }));
  let left = places;
  return rooms
    .toSorted((a, b) => a.most - b.most)
    .map(({ subscriptionId, most }, index) => {
      const share = Math.min(most, Math.floor(left / (rooms.length - index)));
      left -= share;
      return { subscriptionId, most: share };
    });
}

function shuffle<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, chance: Math.random() }))
    .toSorted((a, b) => a.chance - b.chance)
    .map(({ item }) => item);
}

function sum(shares: readonly Share[]): number {
  return shares.reduce((total, { most }) => total + most, 0);
}
