import { createReadStream } from "node:fs";
import type { RenditionFile, RenditionPlan } from "@greenlit/engine/renditions/rendition.ts";
import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { carryOutRemovals, planRemovals, type Removal } from "../uploads/removals.ts";
import type { ClaimedRendering } from "./claim-rendering.ts";

const maxBytes = 16 * 1024 ** 3;
/** Longer than any put takes. */
const putMs = 60 * 60 * 1000;

/** Writes down what is played and how many pages there are. False: the asset is gone, or somebody else's. */
export async function keepPlan({ db }: App, claimed: ClaimedRendering, plan: RenditionPlan): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("rendering")
    .set(plan)
    .where("assetId", "=", claimed.assetId)
    .where("workspaceId", "=", claimed.workspaceId)
    .where("run", "=", claimed.run)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores a rendition. Its removal is planned before its first byte is stored and called off together with the row that
 * names it: when this process dies, or the asset is deleted meanwhile, the bytes do not stay. False: the asset or its
 * file is gone, or somebody else's.
 */
export async function keepRendition(
  app: App,
  claimed: ClaimedRendering,
  { kind, number, file, contentType, detail }: RenditionFile,
): Promise<boolean> {
  const { assetId, workspaceId, submissionId, media, run } = claimed;
  const objectKey = `renditions/${workspaceId}/${assetId}/${uuidv7()}`;
  const removal: Removal = { kind: "object", objectKey };
  const later = new Date(app.now().getTime() + putMs);
  const planned = await planRemovals(app.db, { removals: [removal], now: later });
  const { etag, sizeBytes } = await app.store.put(objectKey, createReadStream(file), { maxBytes, contentType });

  const isKept = await app.db.transaction().execute(async (trx) => {
    // In the order of a deletion, which locks both: it either finds the row, or we find nothing.
    const { rows } = await sql`
      select from submissions where submission_id = ${submissionId} and workspace_id = ${workspaceId} for key share`.execute(
      trx,
    );
    const present = await sql`
      select from media where media_id = ${media.mediaId} and workspace_id = ${workspaceId} and removed_at is null
        for key share`.execute(trx);
    const ours = await sql`
      select from rendering where asset_id = ${assetId} and workspace_id = ${workspaceId} and run = ${run}`.execute(
      trx,
    );
    if (rows.length === 0 || present.rows.length === 0 || ours.rows.length === 0) return false;
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto("renditions")
      .values({
        assetId,
        workspaceId,
        kind,
        number,
        objectKey,
        etag,
        contentType,
        sizeBytes,
        detail: JSON.stringify(detail),
      })
      .onConflict((conflict) => conflict.columns(["assetId", "kind", "number"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return false;
    const { numDeletedRows } = await trx.deleteFrom("removals").where("objectKey", "=", objectKey).executeTakeFirst();
    if (numDeletedRows === 0n) throw new Error("The store took so long that the rendition was given up.");
    return true;
  });
  if (!isKept) await carryOutRemovals(app, planned);
  return isKept;
}

/** What there is already, as the engine names it. */
export async function knownRenditions({ db }: App, { assetId, workspaceId }: ClaimedRendering): Promise<string[]> {
  const rows = await db
    .selectFrom("renditions")
    .select(["kind", "number"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  return rows.map(({ kind, number }) => `${kind} ${number}`);
}

/** Gives up the renditions of a submission that goes; returns the bytes that have to go. */
export async function removeRenditions(
  trx: Kysely<Tables>,
  { submissionId, workspaceId }: { submissionId: string; workspaceId: string },
): Promise<Removal[]> {
  const { rows } = await sql<{ objectKey: string }>`
    delete from renditions using assets where assets.asset_id = renditions.asset_id
        and submission_id = ${submissionId} and assets.workspace_id = ${workspaceId}
      returning object_key`.execute(trx);
  return rows.map(({ objectKey }) => ({ kind: "object", objectKey }));
}

/** The same for files that retention removes, whatever workspace they are of. */
export async function removeRenditionsOfMedia(trx: Kysely<Tables>, mediaIds: readonly string[]): Promise<Removal[]> {
  const { rows } = await sql<{ objectKey: string }>`
    delete from renditions using assets
      where assets.asset_id = renditions.asset_id and media_id = any (${mediaIds}::uuid[])
      returning object_key`.execute(trx);
  return rows.map(({ objectKey }) => ({ kind: "object", objectKey }));
}
