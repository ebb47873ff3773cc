import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { firstUuidAt } from "../db/uuid.ts";
import { removeRenditionsOfMedia } from "../renditions/keep-rendition.ts";
import { carryOutRemovals, planRemovals, type Removal } from "./removals.ts";

const batchSize = 200;
const maxBatches = 25;

type Old = { mediaId: string; uploadId: string; reference: string; objectKey: string };

/**
 * Removes the bytes of files whose submissions all ended before that time; the results stay. First the row says so, then
 * the bytes go: never a row without its bytes.
 */
export async function removeOldMedia(app: App, { endedBefore }: { endedBefore: Date }): Promise<{ removed: number }> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const { count, removals } = await markOld(app, endedBefore);
    await carryOutRemovals(app, removals);
    removed += count;
    if (count < batchSize) break;
  }
  return { removed };
}

async function markOld(app: App, endedBefore: Date) {
  return app.db.transaction().execute(async (trx) => {
    const { rows: locked } = await sql<{ mediaId: string }>`
      select media_id from media
      where removed_at is null and media_id < ${firstUuidAt(endedBefore)} and not ${isStillNeeded(endedBefore)}
      order by media_id limit ${batchSize} for update skip locked`.execute(trx);
    if (locked.length === 0) return { count: 0, removals: [] };
    // Looked at again now that it is locked: a submission may have taken it meanwhile.
    const { rows } = await sql<Old>`
      update media set removed_at = ${app.now()} from uploads
      where uploads.upload_id = media.upload_id and media_id = any (${locked.map(({ mediaId }) => mediaId)})
        and not ${isStillNeeded(endedBefore)}
      returning media.media_id, media.upload_id, media.reference, uploads.object_key`.execute(trx);
    const mediaIds = rows.map(({ mediaId }) => mediaId);
    const removals: Removal[] = await removeRenditionsOfMedia(trx, mediaIds);
    for (const media of rows) {
      removals.push({ kind: "object", objectKey: media.reference });
      if (!(await isUploadInUse(trx, media))) removals.push({ kind: "upload", objectKey: media.objectKey });
    }
    return { count: rows.length, removals: await planRemovals(trx, { removals, now: app.now() }) };
  });
}

function isStillNeeded(endedBefore: Date) {
  return sql`exists (
    select from assets join submissions using (submission_id)
    where assets.media_id = media.media_id
      and (submissions.completed_at is null or submissions.completed_at >= ${endedBefore}))`;
}

/** Another version of the same upload may have been submitted later. */
async function isUploadInUse(trx: Kysely<Tables>, { uploadId }: Old): Promise<boolean> {
  const other = await trx
    .selectFrom("media")
    .select("mediaId")
    .where("uploadId", "=", uploadId)
    .where("removedAt", "is", null)
    .executeTakeFirst();
  return other !== undefined;
}
