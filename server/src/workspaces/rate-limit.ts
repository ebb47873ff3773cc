import type pg from "pg";

export type RateLimiter = {
  /** Counts one request, or says how many seconds to wait. */
  take(request: { keyId: string; bucket: string; limit: number }): Promise<Refused | undefined>;
  /** Ends when everything that was granted is counted in the database. */
  settle(): Promise<void>;
};

type Refused = { retryAfterSeconds: number };
type Waiting = { resolve: (refused: Refused | undefined) => void; reject: (error: unknown) => void };

/** One bucket of one key, as this process knows it. */
type Account = {
  keyId: string;
  bucket: string;
  limit: number;
  waiting: Waiting[];
  /** Granted and not counted yet. */
  uncounted: number;
  /** Being counted now. */
  counting: { uncounted: number; waiting: number };
  /** What the database counted in the last minute, and when it said so. */
  used: number;
  knownAt: number;
};

/** Of smaller limits every request is counted before its answer. */
const minLimit = 500;
const uncountedShare = 1 / 100;
const knownForMs = 1000;
const countEveryMs = 50;
const maxAccounts = 10_000;

/**
 * Limits counted in the database, so they hold across all processes. While less than half of a large limit is used, a
 * request is granted at once and counted a moment later, so that it costs no round trip; never more than 1 % of the
 * limit is uncounted. Otherwise it waits for its count, and requests that arrive while a count is under way share the
 * next one. Within one process both are exact: nothing is granted here while requests wait there.
 */
export function createRateLimiter(options: { pool: pg.Pool; now: (() => Date) | null }): RateLimiter {
  const accounts = new Map<string, Account>();
  let due = new Map<string, Account>();
  const clock = () => options.now?.().getTime() ?? performance.now();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function accountOf({ keyId, bucket, limit }: { keyId: string; bucket: string; limit: number }): Account {
    const id = keyId + bucket;
    let account = accounts.get(id) ?? due.get(id);
    if (!account) {
      const nothing = { waiting: [], uncounted: 0, counting: { uncounted: 0, waiting: 0 } };
      account = { keyId, bucket, limit, ...nothing, used: 0, knownAt: -Infinity };
      // What is forgotten is asked for again; those that wait are due, and found there.
      if (accounts.size >= maxAccounts) accounts.clear();
      accounts.set(id, account);
    }
    account.limit = limit;
    due.set(id, account);
    return account;
  }

  function isSurelyFree({ limit, waiting, uncounted, counting, used, knownAt }: Account): boolean {
    const age = clock() - knownAt;
    return (
      limit >= minLimit &&
      waiting.length + counting.waiting === 0 &&
      age >= 0 &&
      age < knownForMs &&
      uncounted < limit * uncountedShare &&
      used + counting.uncounted + uncounted < limit / 2
    );
  }

  async function countAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    do {
      const batch = [...due].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => account);
      due = new Map();
      await count(options, batch, clock);
    } while (due.values().some(({ waiting }) => waiting.length > 0));
    running = undefined;
    if (due.size > 0) countSoon();
  }

  function countNow(): Promise<void> {
    running ??= countAll();
    return running;
  }

  function countSoon(): void {
    if (running || timer) return;
    timer = setTimeout(() => void countNow(), countEveryMs);
    timer.unref();
  }

  return {
    take(request) {
      const account = accountOf(request);
      if (isSurelyFree(account)) {
        account.uncounted++;
        countSoon();
        return Promise.resolve(undefined);
      }
      return new Promise((resolve, reject) => {
        account.waiting.push({ resolve, reject });
        void countNow();
      });
    },

    async settle() {
      while (running || due.size > 0) await countNow();
    },
  };
}

async function count(
  { pool, now }: { pool: pg.Pool; now: (() => Date) | null },
  batch: Account[],
  clock: () => number,
): Promise<void> {
  if (batch.length === 0) return;
  const counted = batch.map((account) => {
    const { waiting, uncounted } = account;
    account.waiting = [];
    account.uncounted = 0;
    account.counting = { uncounted, waiting: waiting.length };
    return { account, waiting, uncounted };
  });
  const knownAt = clock();
  try {
    const { rows } = await pool.query<{ granted: number; wait_ms: number; used: number }>({
      name: "count_rates",
      text: "select granted, wait_ms, used from count_rates($1, $2, $3, $4, $5, $6)",
      values: [
        batch.map(({ keyId }) => keyId),
        batch.map(({ bucket }) => bucket),
        counted.map(({ uncounted }) => uncounted),
        counted.map(({ waiting }) => waiting.length),
        batch.map(({ limit }) => limit),
        now?.() ?? null,
      ],
    });
    for (const [index, { account, waiting }] of counted.entries()) {
      const { granted, wait_ms: waitMs, used } = rows[index] ?? { granted: 0, wait_ms: 1000, used: Infinity };
      Object.assign(account, { used, knownAt });
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
      for (const [position, { resolve }] of waiting.entries())
        resolve(position < granted ? undefined : { retryAfterSeconds });
    }
  } catch (error) {
    // What was granted stays granted; until the database answers again, every request waits for its count.
    for (const { account, waiting } of counted) {
      account.knownAt = -Infinity;
      for (const { reject } of waiting) reject(error);
    }
  } finally {
    for (const { account } of counted) account.counting = { uncounted: 0, waiting: 0 };
  }
}

/** Requests counted in each bucket of a key over the last 60 seconds, by the same slots as `take`. */
export async function readUsed(options: {
  pool: pg.Pool;
  now: (() => Date) | null;
  keyId: string;
}): Promise<Map<string, number>> {
  const { rows } = await options.pool.query<{ bucket: string; used: number }>({
    name: "read_rates",
    text: `select bucket, sum(hits)::integer as used from rate_slots
      where key_id = $1 and slot >= (floor(extract(epoch from coalesce($2::timestamptz, clock_timestamp())) * 1000)::bigint - 60000) / 100
      group by bucket`,
    values: [options.keyId, options.now?.() ?? null],
  });
  return new Map(rows.map(({ bucket, used }) => [bucket, used]));
}

/** Counts that no limit looks at any more; keys that fell silent leave theirs behind. */
export async function sweepRateSlots({ pool, now }: { pool: pg.Pool; now: (() => Date) | null }): Promise<void> {
  await pool.query(
    "delete from rate_slots where slot < (extract(epoch from coalesce($1::timestamptz, clock_timestamp())) * 10)::bigint - 3000",
    [now?.() ?? null],
  );
}
