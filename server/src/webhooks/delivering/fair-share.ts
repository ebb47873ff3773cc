/** A subscription with something to send, and when the earliest of it is due. */
export type Waiting = { subscriptionId: string; dueAt: Date };

export type Share = { subscriptionId: string; most: number };

export type FairShare = {
  /** How many deliveries of which subscription to start now, after how long to look again, and whether some got no place. */
  deal(waiting: readonly Waiting[], now: Date): { shares: Share[]; lookAgainMs: number; isCrowded: boolean };
  begin(subscriptionId: string): { end(result: { isSuccess: boolean; holdUntil?: Date | undefined }): void };
  /** Whether half of what may run at once does not: taking deliveries one by one would cost a turn for each. */
  isHalfIdle(subscriptionId: string): boolean;
};

/** What this process has seen of a receiver. */
type Receiver = {
  /** When the attempts that are running began, oldest first. */
  running: Map<symbol, number>;
  /** How many may run at once: grows with each success, halves with each failure. */
  limit: number;
  failuresInARow: number;
  hasSucceeded: boolean;
  readyAt: number;
  lastDurationMs: number;
  /** By the service's clock: the receiver asked to be left alone until then. */
  holdUntil: Date | undefined;
};

/**
 * Receivers are proven (they answer well), new (nothing is known), or slow (they fail, crawl or hang right now). Each
 * kind has places of its own, so that those which take long cannot take what the others need.
 */
const kinds = ["proven", "new", "slow"] as const;
type Kind = (typeof kinds)[number];
export type Places = Record<Kind, number> & {
  /** One that turns slow stops counting among its former kind, so that more can be running than there are places. */
  maxNewAndSlow: number;
};

const usualPlaces: Places = { proven: 256, new: 128, slow: 256, maxNewAndSlow: 1024 };
const firstLimit = 2;
const maxPerSubscription = 32;
const slowMs = 500;
const longestPauseMs = 1000;
const idleMs = 1000;
const crowdedMs = 100;
const receiversKept = 10_000;

/** Divides the attempts of a process among the subscriptions that have something to send. */
export function createFairShare({ places = usualPlaces, clock = () => performance.now() } = {}): FairShare {
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
      const taken: Record<Kind, number> = { proven: 0, new: 0, slow: 0 };
      for (const receiver of receivers.values()) taken[kindOf(receiver, time)] += receiver.running.size;

      let lookAgainMs = idleMs;
      const rooms: Record<Kind, Share[]> = { proven: [], new: [], slow: [] };
      for (const { subscriptionId, dueAt } of waiting) {
        const receiver = receiverOf(subscriptionId);
        const waitMs = Math.max(
          dueAt.getTime() - now.getTime(),
          (receiver.holdUntil?.getTime() ?? 0) - now.getTime(),
          receiver.readyAt - time,
        );
        const most = receiver.limit - receiver.running.size;
        if (waitMs > 0) lookAgainMs = Math.min(lookAgainMs, waitMs);
        else if (most > 0) rooms[kindOf(receiver, time)].push({ subscriptionId, most });
      }

      let left = places.maxNewAndSlow - taken.new - taken.slow;
      const shares = kinds.flatMap((kind) => {
        const free = places[kind] - taken[kind];
        const dealt = divide(rooms[kind], kind === "proven" ? free : Math.min(free, left));
        if (kind !== "proven") left -= dealt.reduce((sum, { most }) => sum + most, 0);
        return dealt;
      });
      const isCrowded = shares.length < rooms.proven.length + rooms.new.length + rooms.slow.length;
      return { shares, lookAgainMs: isCrowded ? Math.min(lookAgainMs, crowdedMs) : lookAgainMs, isCrowded };
    },

    isHalfIdle(subscriptionId) {
      const { running, limit } = receiverOf(subscriptionId);
      return running.size <= limit / 2;
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
            receiver.hasSucceeded = true;
            receiver.readyAt = 0;
            receiver.limit = Math.min(receiver.limit + 1, maxPerSubscription);
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
    hasSucceeded: false,
    readyAt: 0,
    lastDurationMs: 0,
    holdUntil: undefined,
  };
}

function kindOf({ failuresInARow, hasSucceeded, lastDurationMs, running }: Receiver, time: number): Kind {
  const [oldest = time] = running.values();
  if (failuresInARow > 0 || lastDurationMs > slowMs || time - oldest > slowMs) return "slow";
  return hasSucceeded ? "proven" : "new";
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
