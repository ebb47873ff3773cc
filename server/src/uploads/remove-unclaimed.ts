import type { App } from "../app.ts";
import type { Upload } from "./record-upload.ts";

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

  const isGone = await app.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("uploads")
      .select("uploadId")
      .where("uploadId", "=", upload.uploadId)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return false;
    const taken = await trx
      .selectFrom("media")
      .select("mediaId")
      .where("uploadId", "=", upload.uploadId)
      .executeTakeFirst();
    if (taken) return false;
    await trx.deleteFrom("uploads").where("uploadId", "=", upload.uploadId).execute();
    return true;
  });
  if (isGone) await removeBytes(app, upload.objectKey);
  return isGone;
}

/** The object and whatever a submission that failed half-way froze of it. */
export async function removeBytes(app: App, objectKey: string): Promise<void> {
  // No slash behind it: stores go by the prefix of the key that was frozen, and no other key begins with this uuid.
  for await (const frozen of app.store.list(`frozen/${objectKey}`)) await app.store.remove(frozen.key);
  await app.store.remove(objectKey);
}
