import { sql } from "kysely";
import type { App } from "../app.ts";
import { firstUuidAt } from "../db/uuid.ts";

const batchSize = 1000;
const maxBatches = 50;

/**
 * Deletes events with their deliveries, and the realtime messages of submissions that ended. What is still to be
 * delivered, and the messages of what still runs, stay.
 */
export async function removeOldEvents(app: App, { before }: { before: Date }): Promise<{ removed: number }> {
  const events = await inBatches(() =>
    sql`delete from events where event_id = any (array (
        select event_id from events e
        where event_id < ${firstUuidAt(before)}
          and not exists (select from deliveries d where d.event_id = e.event_id and d.next_attempt_at is not null)
        order by event_id limit ${batchSize}))`.execute(app.db),
  );
  const messages = await inBatches(() =>
    sql`delete from realtime_messages where (submission_id, event_number) in (
        select m.submission_id, m.event_number from realtime_messages m join submissions s using (submission_id)
        where m.created_at < ${before} and s.completed_at < ${before} limit ${batchSize})`.execute(app.db),
  );
  return { removed: events + messages };
}

/** Short statements: a long one would hold back the vacuum of the whole database. */
async function inBatches(remove: () => Promise<{ numAffectedRows?: bigint }>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const count = Number((await remove()).numAffectedRows ?? 0n);
    removed += count;
    if (count < batchSize) break;
  }
  return removed;
}
