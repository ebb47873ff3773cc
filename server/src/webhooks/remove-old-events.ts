import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { firstUuidAt } from "../db/uuid.ts";

const batchSize = 1000;
const maxBatches = 50;

/**
 * Deletes events with their deliveries, and the realtime messages of submissions that ended. What is still to be
 * delivered, and the messages of what still runs, stay.
 */
export async function removeOldEvents(app: App, { before }: { before: Date }): Promise<{ removed: number }> {
  const events = await inBatches(() => app.db.transaction().execute((trx) => removeDelivered(trx, before)));
  // Those that another process removes at this moment are left to it: two that wait for each other are a deadlock.
  const messages = await inBatches(() =>
    sql`delete from realtime_messages where (submission_id, event_number) in (
        select m.submission_id, m.event_number from realtime_messages m join submissions s using (submission_id)
        where m.created_at < ${before} and s.completed_at < ${before} limit ${batchSize}
        for update of m skip locked)`.execute(app.db),
  );
  return { removed: events + messages };
}

/** Locked first and then looked at again: a recovery may have queued one of them for delivery meanwhile. */
async function removeDelivered(trx: Kysely<Tables>, before: Date): Promise<{ numAffectedRows?: bigint }> {
  const { rows } = await sql<{ eventId: string }>`
    select event_id from events e
      where event_id < ${firstUuidAt(before)} and not ${isWaiting}
      order by event_id limit ${batchSize} for update skip locked`.execute(trx);
  const eventIds = rows.map(({ eventId }) => eventId);
  // In the order in which workers lock them when they record attempts.
  await sql`
    select from deliveries where event_id = any (${eventIds}::uuid[]) order by delivery_id for update`.execute(trx);
  return sql`delete from events e where event_id = any (${eventIds}::uuid[]) and not ${isWaiting}`.execute(trx);
}

const isWaiting = sql`exists (
  select from deliveries d where d.event_id = e.event_id and d.next_attempt_at is not null)`;

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
