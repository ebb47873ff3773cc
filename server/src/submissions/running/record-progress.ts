import type { App } from "../../app.ts";
import type { AssetRun } from "./start-asset.ts";

/** Never goes back, and nothing comes from a worker that was taken over. */
export async function recordProgress(app: App, { asset, run }: AssetRun, percent: number): Promise<void> {
  await app.db
    .updateTable("assets")
    .set({ progressPercent: percent })
    .where("assetId", "=", asset.assetId)
    .where("workspaceId", "=", asset.workspaceId)
    .where("run", "=", run)
    .where("status", "=", "processing")
    .where("progressPercent", "<", percent)
    .execute();
}
