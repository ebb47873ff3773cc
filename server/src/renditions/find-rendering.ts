import type { Selectable } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { assetNotFound, findFinishedAsset, type AssetIds } from "../submissions/reading/read-asset.ts";
import type { Asset } from "../submissions/submission.ts";

type Rendering = Selectable<Tables["rendering"]>;

type Media = { mediaId: string; reference: string; etag: string; sizeBytes: number };

/**
 * A complete asset and how far its renditions are. What nobody has asked for yet (a sandbox asset, one from before this
 * release) is put into the queue by being asked for.
 */
export async function findRendering(
  app: App,
  ids: AssetIds,
): Promise<{ asset: Asset; media: Media; rendering: Rendering | undefined }> {
  const asset = await findFinishedAsset(app, ids);
  const media = await app.db
    .selectFrom("media")
    .select(["mediaId", "reference", "etag", "sizeBytes", "removedAt"])
    .where("mediaId", "=", asset.mediaId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  // Deleted between the two queries.
  if (!media) throw assetNotFound();
  if (media.removedAt)
    throw new Failure(
      "not_found",
      "The file was removed: this deployment does not keep files for ever. The results remain.",
    );
  const find = () =>
    app.db
      .selectFrom("rendering")
      .selectAll()
      .where("assetId", "=", asset.assetId)
      .where("workspaceId", "=", ids.workspaceId)
      .executeTakeFirst();
  const rendering = await find();
  if (rendering || !app.config.renditions) return { asset, media, rendering };
  await app.db
    .insertInto("rendering")
    .values({ assetId: asset.assetId, workspaceId: ids.workspaceId, state: "waiting" })
    .onConflict((conflict) => conflict.column("assetId").doNothing())
    .execute();
  return { asset, media, rendering: await find() };
}
