import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { isBackupRunning } from "../backup/backup-lock.ts";
import type { RemovalKind, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";

export type Removal = { kind: RemovalKind; objectKey: string };
type PlannedRemoval = Removal & { removalId: string };

const batchSize = 500;
/** The process that planned a removal carries it out at once: only older ones were left behind. */
const leftBehindMs = 60_000;

/** Writes down which bytes have to go, in the transaction that removes their rows: an outage of the store loses none. */
export async function planRemovals(
  trx: Kysely<Tables>,
  { removals, now }: { removals: readonly Removal[]; now: Date },
): Promise<PlannedRemoval[]> {
  const planned = removals.map((removal) => ({ ...removal, removalId: uuidv7(now.getTime()) }));
  if (planned.length > 0)
    await trx
      .insertInto("removals")
      .values(planned.map((removal) => ({ ...removal, createdAt: now })))
      .execute();
  return planned;
}

/** Removes the bytes. What the store cannot remove now, or a backup still needs, is left to housekeeping. */
export async function carryOutRemovals(app: App, removals: readonly PlannedRemoval[]): Promise<void> {
  if (removals.length === 0 || (await isBackupRunning(app.pool))) return;
  for (const removal of removals) {
    try {
      await removeBytes(app, removal);
    } catch (error) {
      const { objectKey } = removal;
      app.log.warn({ objectKey, err: error }, "bytes not removed: the store did not answer; will be tried again");
      continue;
    }
    await app.db.deleteFrom("removals").where("removalId", "=", removal.removalId).execute();
  }
}

/** Tries again what was left behind, oldest first; stops at the first that fails, because the next would fail too. */
export async function retryRemovals(app: App): Promise<{ removed: number }> {
  let removed = 0;
  for (;;) {
    if (await isBackupRunning(app.pool)) return { removed };
    const left = await app.db
      .selectFrom("removals")
      .select(["removalId", "kind", "objectKey"])
      .where("createdAt", "<", new Date(app.now().getTime() - leftBehindMs))
      .orderBy("createdAt")
      .limit(batchSize)
      .execute();
    for (const removal of left) {
      await removeBytes(app, removal);
      await app.db.deleteFrom("removals").where("removalId", "=", removal.removalId).execute();
      removed += 1;
    }
    if (left.length < batchSize) return { removed };
  }
}

async function removeBytes(app: App, { kind, objectKey }: Removal): Promise<void> {
  if (kind === "upload") {
    for await (const reference of app.store.frozenOf(objectKey)) await app.store.remove(reference);
  }
  await app.store.remove(objectKey);
}
