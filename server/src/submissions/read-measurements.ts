import type { App } from "../app.ts";
import { findFinishedAsset, type AssetIds } from "./read-asset.ts";

/** What was measured, whether or not a rule had something to say about it. Empty for a sandbox asset or a failed one. */
export async function readMeasurements(app: App, ids: AssetIds): Promise<Record<string, unknown>> {
  const { assetId } = await findFinishedAsset(app, ids);
  const row = await app.db
    .selectFrom("assetResults")
    .select("measurements")
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  return row?.measurements ?? {};
}
