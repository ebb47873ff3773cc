import type pg from "pg";

export type RateLimiter = {
  /** Counts one request, or says how many seconds to wait. */
  take(request: { keyId: string; bucket: string; limit: number }): Promise<{ retryAfterSeconds: number } | undefined>;
};

type Waiting = {
  resolve: (retry: { retryAfterSeconds: number } | undefined) => void;
  reject: (error: unknown) => void;
};
type Group = { keyId: string; bucket: string; limit: number; waiting: Waiting[] };

/**
 * Limits counted in the database, so they hold across all processes. Requests that arrive while a count is under
 * way share the next one: under load one round trip serves dozens of requests.
 */
export function createRateLimiter(options: { pool: pg.Pool; now: (() => Date) | null }): RateLimiter {
  let groups = new Map<string, Group>();
  let isRunning = false;

  async function run() {
    isRunning = true;
    while (groups.size > 0) {
      const batch = [...groups.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
      groups = new Map();
      await takeBatch(options, batch);
    }
    isRunning = false;
  }

  return {
    take({ keyId, bucket, limit }) {
      return new Promise((resolve, reject) => {
        const id = keyId + bucket;
        const group = groups.get(id) ?? { keyId, bucket, limit, waiting: [] };
        group.waiting.push({ resolve, reject });
        groups.set(id, group);
        if (!isRunning) void run();
      });
    },
  };
}

async function takeBatch({ pool, now }: { pool: pg.Pool; now: (() => Date) | null }, batch: Group[]): Promise<void> {
  try {
    const { rows } = await pool.query<{ granted: number; wait_ms: number }>({
      name: "take_rates",
      text: "select granted, wait_ms from take_rates($1, $2, $3, $4, $5)",
      values: [
        batch.map((group) => group.keyId),
        batch.map((group) => group.bucket),
        batch.map((group) => group.waiting.length),
        batch.map((group) => group.limit),
        now?.() ?? null,
      ],
    });
    for (const [index, group] of batch.entries()) {
      const { granted, wait_ms: waitMs } = rows[index] ?? { granted: 0, wait_ms: 1000 };
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
      for (const [position, { resolve }] of group.waiting.entries())
        resolve(position < granted ? undefined : { retryAfterSeconds });
    }
  } catch (error) {
    for (const group of batch) for (const { reject } of group.waiting) reject(error);
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
export async function sweepRateSlots(pool: pg.Pool): Promise<void> {
  await pool.query("delete from rate_slots where slot < (extract(epoch from clock_timestamp()) * 10)::bigint - 3000");
}
