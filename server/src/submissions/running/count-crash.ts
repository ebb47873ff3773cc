import type { App } from "../../app.ts";
import type { AssetRun } from "./start-asset.ts";

/** How often the analysis of this attempt has crashed or met an unexpected error, this time included. */
export async function countCrash(app: App, { asset, run }: AssetRun): Promise<number> {
  const row = await app.db
    .updateTable("assets")
    .set((set) => ({ crashes: set("crashes", "+", 1) }))
    .where("assetId", "=", asset.assetId)
    .where("workspaceId", "=", asset.workspaceId)
    .where("run", "=", run)
    .returning("crashes")
    .executeTakeFirst();
  return row?.crashes ?? Number.POSITIVE_INFINITY;
}
