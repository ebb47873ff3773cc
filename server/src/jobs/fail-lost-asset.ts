import type { App } from "../app.ts";
import type { AnalysisJob } from "../queue/analysis-queue.ts";
import { failAsset } from "../submissions/running/fail-asset.ts";

/** Every worker that took this asset died or lost the database: without this it would stay in processing for ever. */
export async function failLostAsset(app: App, { assetId, workspaceId, workflowId }: AnalysisJob): Promise<void> {
  const asset = await app.db
    .selectFrom("assets")
    .select(["submissionId", "run"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .where("workflowId", "=", workflowId)
    .executeTakeFirst();
  if (!asset) return;
  await failAsset(app, {
    ...asset,
    assetId,
    workspaceId,
    errorType: "analyzer_crashed",
    errorMessage:
      "The service stopped every time it analysed this asset, so the analysis was abandoned. Retry it; if it fails again, give your operator the asset's id.",
  });
}
