import { sql } from "kysely";
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

  const diffs = await countDiffs(app, { workspaceId, assets });
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
        diff: diffs.get(asset.assetId) ?? null,
      });
  }
  return { submissionId, versions };
}

/** Of each that has results, against the highest lower version that is complete, where there is one. */
async function countDiffs(
  app: App,
  { workspaceId, assets }: { workspaceId: string; assets: readonly Asset[] },
): Promise<Map<string, Counts>> {
  const pairs = assets.flatMap((asset, index) => {
    const previous = assets
      .slice(0, index)
      .findLast(({ versionGroupId, status }) => versionGroupId === asset.versionGroupId && status === "complete");
    return previous && hasResults(asset) ? [{ assetId: asset.assetId, previousId: previous.assetId }] : [];
  });
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<{ assetId: string; found: number; before: number; persisting: number }>`
    select pair.asset_id, found, before, persisting
      from unnest(${pairs.map(({ assetId }) => assetId)}::uuid[], ${pairs.map(({ previousId }) => previousId)}::uuid[])
        as pair (asset_id, previous_id)
      cross join lateral (
        select count(distinct fingerprint) as found from issues
          where asset_id = pair.asset_id and workspace_id = ${workspaceId}
      ) now
      cross join lateral (
        select count(distinct fingerprint) as before,
            count(distinct fingerprint) filter (where fingerprint in (
              select fingerprint from issues later where later.asset_id = pair.asset_id
            )) as persisting
          from issues where asset_id = pair.previous_id and workspace_id = ${workspaceId}
      ) earlier`.execute(app.db);
  return new Map(
    rows.map(({ assetId, found, before, persisting }) => [
      assetId,
      { new: found - persisting, fixed: before - persisting, persisting },
    ]),
  );
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
