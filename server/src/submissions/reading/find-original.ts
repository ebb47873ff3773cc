import type { App } from "../../app.ts";
import { Failure } from "../../failure.ts";
import { assetNotFound, findAsset, type AssetIds } from "./read-asset.ts";

const lifetimeMs = 5 * 60 * 1000;

/** A short-lived address of the bytes that were analysed. */
export async function signOriginal(app: App, ids: AssetIds): Promise<string> {
  const asset = await findAsset(app, ids);
  const media = await app.db
    .selectFrom("media")
    .select(["reference", "removedAt"])
    .where("mediaId", "=", asset.mediaId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  // Deleted between the two queries.
  if (!media) throw assetNotFound();
  if (media.removedAt)
    throw new Failure("not_found", "The file was deleted when its retention period ended. The results are kept.");
  return app.store.signGet(media.reference, {
    expiresAt: new Date(app.now().getTime() + lifetimeMs),
    filename: asset.filename,
    contentType: asset.contentType,
  });
}
