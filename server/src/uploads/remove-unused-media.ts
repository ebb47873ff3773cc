import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Removal } from "./removals.ts";

/**
 * Gives up media that no asset uses any more, and their uploads; returns the bytes that have to go. A submission that is created from the same upload at
 * this moment must either keep the bytes or be refused. So the rows are locked first, which waits for such a submission,
 * and looked at again by a statement of their own, which sees its assets. Where the upload has other bytes in use, the
 * row stays, marked as removed, which refuses a request that froze the same bytes just before.
 */
export async function removeUnusedMedia(
  trx: Kysely<Tables>,
  options: { workspaceId: string; mediaIds: readonly string[]; now: Date },
): Promise<Removal[]> {
  const { workspaceId, mediaIds, now } = options;
  // In the order in which a new submission locks them.
  await sql`
    select from media where workspace_id = ${workspaceId} and media_id = any (${mediaIds}::uuid[])
      order by upload_id for update`.execute(trx);
  const { rows: unused } = await sql<{ uploadId: string; reference: string }>`
    update media set removed_at = coalesce(removed_at, ${now})
      where workspace_id = ${workspaceId} and media_id = any (${mediaIds}::uuid[])
        and not exists (select from assets where assets.media_id = media.media_id)
      returning upload_id, reference`.execute(trx);
  if (unused.length === 0) return [];

  const uploadIds = unused.map(({ uploadId }) => uploadId);
  await sql`
    select from uploads where workspace_id = ${workspaceId} and upload_id = any (${uploadIds}::uuid[])
      order by upload_id for update`.execute(trx);
  await sql`
    delete from media where workspace_id = ${workspaceId} and upload_id = any (${uploadIds}::uuid[])
      and not exists (
        select from media other where other.upload_id = media.upload_id
          and (other.removed_at is null or exists (select from assets where assets.media_id = other.media_id)))`.execute(
    trx,
  );
  const { rows: uploads } = await sql<{ uploadId: string; objectKey: string }>`
    delete from uploads where workspace_id = ${workspaceId} and upload_id = any (${uploadIds}::uuid[])
      and not exists (select from media where media.upload_id = uploads.upload_id)
      returning upload_id, object_key`.execute(trx);
  const objectKeys = new Map(uploads.map(({ uploadId, objectKey }) => [uploadId, objectKey]));
  return unused.flatMap(({ uploadId, reference }): Removal[] => {
    const objectKey = objectKeys.get(uploadId);
    const frozen = { kind: "object", objectKey: reference } as const;
    return objectKey === undefined ? [frozen] : [frozen, { kind: "upload", objectKey }];
  });
}
