import { join } from "node:path";
import { openFolderStore } from "@greenlit/server/storage/folder/folder-store.ts";
import { checkStorage } from "@greenlit/server/uploads/check-storage.ts";
import type { Pool } from "pg";
import { atMost, say, type Bar } from "../report.ts";
import type { MixedLoad } from "./mixed-load.ts";

const patienceMs = 15 * 60_000;

/** Those that did not end: none of them did for a quarter of an hour, however long the queue was. */
export async function waitForAll(pool: Pool, submissionIds: readonly string[]): Promise<string[]> {
  let left = submissionIds.length;
  for (let deadline = performance.now() + patienceMs; ;) {
    // Nobody is asked while PostgreSQL recovers.
    const answer = await pool
      .query<{ id: string }>(
        "select submission_id::text as id from submissions where submission_id = any ($1) and status in ('complete', 'failed')",
        [submissionIds],
      )
      .catch(() => undefined);
    const ended = new Set(answer?.rows.map(({ id }) => id));
    const open = submissionIds.filter((id) => !ended.has(id));
    if (open.length < left) deadline = performance.now() + patienceMs;
    left = Math.min(left, open.length);
    if ((answer && open.length === 0) || performance.now() > deadline) return open;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** An analysis that ended twice without a word is one of a file that ends it: two kills look the same. */
export async function findGivenUp(pool: Pool, submissionIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select submission_id::text as id from assets
     where submission_id = any ($1) and status = 'failed' and error_type = 'analyzer_crashed' and crashes >= 2`,
    [submissionIds],
  );
  return rows.map(({ id }) => id);
}

/** Each has one result and one event that says so. */
export async function findWrong(pool: Pool, submissionIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{
    id: string;
    status: string;
    why: string | null;
    results: number;
    events: number;
  }>(
    `select asset_id::text as id, status, error_type as why,
       (select count(*)::int from asset_results where asset_results.asset_id = assets.asset_id) as results,
       (select count(*)::int from realtime_messages where realtime_messages.submission_id = assets.submission_id
          and event = 'asset.completed') as events
     from assets where submission_id = any ($1)`,
    [submissionIds],
  );
  return rows
    .filter(({ status, results, events }) => status !== "complete" || results !== 1 || events !== 1)
    .map(
      ({ id, status, why, results, events }) => `${id}: ${status} ${why ?? ""}, ${results} results, ${events} events`,
    );
}

/** Rows without bytes, and bytes without a row. */
export async function compareStore(databaseUrl: string, dataFolder: string) {
  const folder = { publicUrl: () => "", signingKey: new Uint8Array(), unclaimedQuotaBytes: 0 };
  await using store = await openFolderStore({ root: join(dataFolder, "store"), ...folder });
  return await checkStorage({ databaseUrl, store, olderThan: new Date() });
}

/** What no fault excuses, as bars; prints what was lost. The service is still running. */
export async function judgeAcknowledged(options: {
  pool: Pool;
  load: MixedLoad;
  /** Those whose failure the faults themselves explain. */
  excused?: () => readonly string[];
  /** Ends the service, after which nothing changes any more. */
  stop: () => Promise<unknown>;
  compare: () => ReturnType<typeof checkStorage>;
}): Promise<Bar[]> {
  const { pool, load, excused, stop, compare } = options;
  const stuck = await waitForAll(pool, load.acknowledged);
  await stop();
  const without = new Set(excused?.());
  const wrong = await findWrong(
    pool,
    load.acknowledged.filter((id) => !without.has(id)),
  );
  const { missing, orphans } = await compare();
  const problems = [
    ...stuck.map((id) => `lost or stuck: ${id}`),
    ...wrong,
    ...load.wrong,
    ...missing.map((key) => `row without bytes: ${key}`),
    ...orphans.map(({ objectKey }) => `bytes without a row: ${objectKey}`),
  ];
  for (const problem of problems.slice(0, 30)) say(problem);
  return [
    atMost("acknowledged submissions lost or stuck", stuck.length, 0),
    atMost("assets that failed, or have no result or not one event", wrong.length, 0),
    atMost("answers with a 5xx other than 503 and 507, and requests without an answer", load.wrong.length, 0),
    atMost("rows without bytes", missing.length, 0),
    atMost("bytes without a row", orphans.length, 0),
  ];
}
