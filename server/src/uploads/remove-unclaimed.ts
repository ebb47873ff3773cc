import type { App } from "../app.ts";
import type { Upload } from "./record-upload.ts";
import { carryOutRemovals, planRemovals } from "./removals.ts";

const keptMs = 24 * 60 * 60 * 1000;
const batchSize = 500;

/**
 * Removes uploads that no submission took: 24 hours after their bytes arrived, or when their URL expired unused. The
 * row goes first, in a transaction that a submission taking the upload blocks; only then the bytes, which nobody can
 * find any more.
 */
export async function removeUnclaimed(app: App): Promise<{ removed: number }> {
  let removed = 0;
  for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
    const uploads = await unclaimedAfter(app, after);
    for (const upload of uploads) if (await removeIfStale(app, upload)) removed++;
    const last = uploads.at(-1);
    if (!last || uploads.length < batchSize) return { removed };
    after = last.uploadId;
  }
}

async function unclaimedAfter(app: App, uploadId: string): Promise<Upload[]> {
  return (
    app.db
      .selectFrom("uploads")
      .selectAll()
      .where("uploadId", ">", uploadId)
      // No upload is removed in its first hour, so the young ones need no look at the store.
      .where("issuedAt", "<", new Date(app.now().getTime() - 60 * 60 * 1000))
      .where((where) =>
        where.not(
          where.exists(where.selectFrom("media").select("mediaId").whereRef("media.uploadId", "=", "uploads.uploadId")),
        ),
      )
      .orderBy("uploadId")
      .limit(batchSize)
      .execute()
  );
}

async function removeIfStale(app: App, upload: Upload): Promise<boolean> {
  const now = app.now().getTime();
  const object = await app.store.head(upload.objectKey);
  const isStale = object
    ? now - object.lastModified.getTime() > keptMs
    : upload.urlExpiresAt === null || upload.urlExpiresAt.getTime() < now;
  if (!isStale) return false;

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
