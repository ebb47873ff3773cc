import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

type Work = {
  jobs: { queue: string; state: "waiting" | "running"; jobs: number; oldestSeconds: number }[];
  deliveries: number;
  removals: number;
};

const sameScrapeMs = 500;

/**
 * What waits in the database, read at each scrape. Every process reports the same: take the `max`. A database out of
 * reach leaves these out and must not take the other metrics away.
 */
export function addWorkGauges(registry: Registry, pool: Pool): void {
  let reading: { work: Promise<Work | undefined>; at: number } | undefined;
  const read = () => {
    // The gauges of one scrape share a reading.
    if (!reading || performance.now() - reading.at > sameScrapeMs)
      reading = { work: readWork(pool).catch(() => undefined), at: performance.now() };
    return reading.work;
  };
  const add = (
    name: string,
    help: string,
    labelNames: string[],
    set: (gauge: Gauge, work: Work) => void,
    unread?: (gauge: Gauge) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const work = await read();
        this.reset();
        if (work) set(this, work);
        else unread?.(this);
      },
    });

  add(
    "greenlit_database_up",
    "1 when the database answered this scrape.",
    [],
    (gauge) => gauge.set(1),
    (gauge) => gauge.set(0),
  );
  add("greenlit_queue_jobs", "Jobs by queue, waiting or running.", ["queue", "state"], (gauge, work) => {
    for (const { queue, state, jobs } of work.jobs) gauge.set({ queue, state }, jobs);
  });
  add("greenlit_queue_oldest_seconds", "How long the oldest waiting job waits.", ["queue"], (gauge, work) => {
    for (const { queue, state, oldestSeconds } of work.jobs)
      if (state === "waiting") gauge.set({ queue }, oldestSeconds);
  });
  add("greenlit_webhook_deliveries_due", "Webhook deliveries whose time has come.", [], (gauge, work) =>
    gauge.set(work.deliveries),
  );
  add("greenlit_removals_late", "Objects that should be gone from the store for 15 minutes.", [], (gauge, work) =>
    gauge.set(work.removals),
  );
}

async function readWork(pool: Pool): Promise<Work> {
  const [jobs, rest] = await Promise.all([
    pool.query<Work["jobs"][number]>(`
      select name as queue, case when state = 'active' then 'running' else 'waiting' end as state, count(*)::int as jobs,
        extract(epoch from now() - min(greatest(created_on, start_after)))::float8 as "oldestSeconds"
      from pgboss.job where state < 'completed' and start_after <= now() group by 1, 2`),
    pool.query<{ deliveries: number; removals: number }>(`
      select (select count(*)::int from deliveries where next_attempt_at <= now()) as deliveries,
        (select count(*)::int from removals where created_at < now() - interval '15 minutes') as removals`),
  ]);
  return { jobs: jobs.rows, deliveries: rest.rows[0]?.deliveries ?? 0, removals: rest.rows[0]?.removals ?? 0 };
}
