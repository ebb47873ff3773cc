import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Upload } from "./record-upload.ts";
import { carryOutRemovals, planRemovals } from "./removals.ts";

const keptMs = 24 * 60 * 60 * 1000;
const batchSize = 500;
const takenAtOnce = 5000;

/**
 * Removes uploads that no submission took: 24 hours after their bytes arrived, or when their URL expired unused. The
 * row goes first, in a transaction that a submission taking the upload blocks; only then the bytes, which nobody can
 * find any more. Each row says when to look at it next, so the many that were taken cost nothing.
 */
export async function removeUnclaimed(app: App): Promise<{ removed: number }> {
  const now = app.now();
  let removed = 0;
  for (;;) {
    while ((await forgetTaken(app, now)) === takenAtOnce);
    const uploads = await app.db
      .selectFrom("uploads")
      .selectAll()
      .where("checkAt", "<", now)
      .orderBy("checkAt")
      .limit(batchSize)
      .execute();
    for (const upload of uploads) if (await removeIfStale(app, { upload, now })) removed++;
    if (uploads.length < batchSize) return { removed };
  }
}

async function forgetTaken(app: App, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update uploads set check_at = null where upload_id in (
      select upload_id from uploads
        where check_at < ${now} and exists (select from media where media.upload_id = uploads.upload_id)
        limit ${takenAtOnce}
    )`.execute(app.db);
  return Number(numAffectedRows ?? 0);
}

async function removeIfStale(app: App, { upload, now }: { upload: Upload; now: Date }): Promise<boolean> {
  const object = await app.store.head(upload.objectKey);
  const keptUntil = object ? new Date(object.lastModified.getTime() + keptMs) : upload.urlExpiresAt;
  if (keptUntil && keptUntil >= now) {
    await app.db
      .updateTable("uploads")
      .set({ checkAt: keptUntil })
      .where("uploadId", "=", upload.uploadId)
      .where("checkAt", "is not", null)
      .execute();
    return false;
  }

  const removals = await app.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("uploads")
      .select("uploadId")
      .where("uploadId", "=", upload.uploadId)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return undefined;
    const taken = await trx
      .selectFrom("media")
      .select("mediaId")
      .where("uploadId", "=", upload.uploadId)
      .executeTakeFirst();
    if (taken) return undefined;
    await trx.deleteFrom("uploads").where("uploadId", "=", upload.uploadId).execute();
    const removal = { kind: "upload", objectKey: upload.objectKey } as const;
    return planRemovals(trx, { removals: [removal], now: app.now() });
  });
  if (removals) await carryOutRemovals(app, removals);
  return removals !== undefined;
}
