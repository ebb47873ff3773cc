import type { App } from "../../app.ts";
import { compactIssue } from "../issues/issue.ts";
import { findFinishedAsset, type AssetIds } from "./read-asset.ts";
import { readAllIssues } from "./read-issues.ts";
import { submissionNotFound } from "./read-submission.ts";
import { previousComplete } from "../creating/previous-version.ts";
import type { Asset } from "../submission.ts";

type Counts = { new: number; fixed: number; persisting: number };

/** All versions of every asset of the submission, by group and number. */
export async function readVersions(
  app: App,
  { workspaceId, submissionId }: { workspaceId: string; submissionId: string },
) {
  const groups = await app.db
    .selectFrom("assets")
    .select("versionGroupId")
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("position")
    .execute();
  if (groups.length === 0) throw submissionNotFound();
  const order = groups.map(({ versionGroupId }) => versionGroupId);
  const assets = await app.db
    .selectFrom("assets")
    .innerJoin("submissions", "submissions.submissionId", "assets.submissionId")
    .selectAll("assets")
    .select("submissions.createdAt")
    .where("assets.workspaceId", "=", workspaceId)
    .where("versionGroupId", "in", order)
    .orderBy("versionNumber")
    .execute();
  // Deleted between the two queries.
  if (!assets.some((asset) => asset.submissionId === submissionId)) throw submissionNotFound();

  const versions = [];
  for (const versionGroupId of order) {
    const group = assets.filter((asset) => asset.versionGroupId === versionGroupId);
    for (const asset of group)
      versions.push({
        versionGroupId,
        versionNumber: asset.versionNumber,
        submissionId: asset.submissionId,
        assetId: asset.assetId,
        filename: asset.filename,
        status: asset.status,
        issueCount: asset.issueCount,
        createdAt: asset.createdAt.toISOString(),
        completedAt: asset.completedAt?.toISOString() ?? null,
        isLatest: asset === group.at(-1),
        diff: await countDiff(app, asset),
      });
  }
  return { submissionId, versions };
}

/** Against the highest lower version that is complete; null when there is none, or when this one has no results itself. */
async function countDiff(app: App, asset: Asset): Promise<Counts | null> {
  if (!hasResults(asset)) return null;
  const previous = await previousComplete(app.db, asset);
  if (!previous) return null;
  const { workspaceId } = asset;
  const fingerprints = async (assetId: string) => {
    const rows = await app.db
      .selectFrom("issues")
      .select("fingerprint")
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    return new Set(rows.map(({ fingerprint }) => fingerprint));
  };
  const [before, now] = await Promise.all([fingerprints(previous.assetId), fingerprints(asset.assetId)]);
  const persisting = now.intersection(before).size;
  return { new: now.size - persisting, fixed: before.size - persisting, persisting };
}

/** A sandbox asset is complete without any. */
function hasResults({ status, issueCount }: Asset): boolean {
  return status === "complete" && issueCount !== null;
}

/** What became of the findings of the version before, issue by issue. */
export async function readDiff(app: App, ids: AssetIds) {
  const asset = await findFinishedAsset(app, ids);
  const now = await readAllIssues(app, ids);
  const previous = hasResults(asset) ? await previousComplete(app.db, asset) : undefined;
  const before = previous
    ? await app.db
        .selectFrom("issues")
        .selectAll()
        .where("assetId", "=", previous.assetId)
        .where("workspaceId", "=", ids.workspaceId)
        .orderBy("position")
        .execute()
    : [];
  const was = new Set(before.map(({ fingerprint }) => fingerprint));
  const is = new Set(now.map(({ fingerprint }) => fingerprint));
  return {
    assetId: asset.assetId,
    comparedWith: previous ?? null,
    new: now.filter(({ fingerprint }) => !was.has(fingerprint)).map(compactIssue),
    fixed: before.filter(({ fingerprint }) => !is.has(fingerprint)).map(compactIssue),
    persisting: now.filter(({ fingerprint }) => was.has(fingerprint)).map(compactIssue),
  };
}
