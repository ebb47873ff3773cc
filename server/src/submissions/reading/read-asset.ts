import type { App } from "../../app.ts";
import { Failure } from "../../failure.ts";
import { notFound } from "../../not-found.ts";
import { compactIssue } from "../issues/issue.ts";
import type { Asset } from "../submission.ts";

export type AssetIds = { workspaceId: string; submissionId: string; assetId: string };

/** In the transaction of a change, give the transaction: a second connection would wait for the pool. */
export async function findAsset(
  { db }: Pick<App, "db">,
  { workspaceId, submissionId, assetId }: AssetIds,
): Promise<Asset> {
  const asset = await db
    .selectFrom("assets")
    .selectAll()
    .where("assetId", "=", assetId)
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!asset) throw assetNotFound();
  return asset;
}

/**
 * For what exists only once the asset is complete. Throws before that, and when the asset failed: an empty result would
 * look clean. Readers call it again when they find no results, because the asset may have been deleted between two queries.
 */
export async function findFinishedAsset(app: App, ids: AssetIds): Promise<Asset> {
  const asset = await findAsset(app, ids);
  if (asset.status === "failed")
    throw new Failure(
      "asset_failed",
      `The asset failed with ${asset.errorType}, so it has no results: ${asset.errorMessage}`,
    );
  if (asset.status !== "complete")
    throw new Failure(
      "asset_not_finished",
      "The asset has not finished processing. Poll the submission until its status is complete or failed.",
    );
  return asset;
}

export function assetNotFound(): Failure {
  return notFound("asset");
}

/** The asset with its issues in compact form; none until there are results. */
export async function readAsset(app: App, ids: AssetIds) {
  const asset = await findAsset(app, ids);
  const issues = await app.db
    .selectFrom("issues")
    .selectAll()
    .where("assetId", "=", asset.assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .orderBy("position")
    .execute();
  if (issues.length !== (asset.issueCount ?? 0)) await findAsset(app, ids);
  return {
    assetId: asset.assetId,
    submissionId: asset.submissionId,
    filename: asset.filename,
    status: asset.status,
    mimeType: asset.contentType,
    sizeBytes: asset.sizeBytes,
    sha256: asset.sha256,
    issueCount: asset.issueCount,
    versionNumber: asset.versionNumber,
    versionGroupId: asset.versionGroupId,
    errorMessage: asset.errorMessage,
    errorType: asset.errorType,
    issues: issues.map(compactIssue),
  };
}
