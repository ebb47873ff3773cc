import { join } from "node:path";
import { openFolderStore } from "@greenlit/server/storage/folder/folder-store.ts";
import { checkStorage } from "@greenlit/server/uploads/check-storage.ts";
import type { Pool } from "pg";

const patienceMs = 15 * 60_000;

/** Those that did not end, however long one waits. */
export async function waitForAll(pool: Pool, submissionIds: readonly string[]): Promise<string[]> {
  for (const deadline = performance.now() + patienceMs; ;) {
    const { rows } = await pool.query<{ id: string }>(
      "select submission_id::text as id from submissions where submission_id = any ($1) and status in ('complete', 'failed')",
      [submissionIds],
    );
    const ended = new Set(rows.map(({ id }) => id));
    const open = submissionIds.filter((id) => !ended.has(id));
    if (open.length === 0 || performance.now() > deadline) return open;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
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
