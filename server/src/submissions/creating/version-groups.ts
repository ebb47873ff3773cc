import type { App } from "../../app.ts";
import type { Mode } from "../../db/tables.ts";
import { Failure } from "../../failure.ts";
import { invalidAsset, nameAssetInError } from "./invalid-asset.ts";

/** A new asset's place among versions: the group it continues, or null for a group of its own. */
export type VersionLink = { versionGroupId: string } | null;

type Asset = { filename: string; previousSubmissionId: string | undefined };

/** Finds the group each new asset continues: that of the previous submission's only asset, or of the one of its filename. */
export async function linkVersions(
  app: App,
  options: { workspaceId: string; mode: Mode; assets: readonly Asset[] },
): Promise<VersionLink[]> {
  const { workspaceId, mode, assets } = options;
  const links: VersionLink[] = [];
  for (const [index, { filename, previousSubmissionId }] of assets.entries()) {
    if (previousSubmissionId === undefined) links.push(null);
    else {
      const ids = { workspaceId, submissionId: previousSubmissionId };
      const previous = await nameAssetInError(index, () => readPrevious(app, ids));
      if (previous.mode !== mode)
        throw invalidAsset(
          index,
          "previousSubmissionId",
          `names a ${previous.mode} submission, but the key is a ${mode} key`,
        );
      const match =
        previous.assets.length === 1
          ? previous.assets[0]
          : previous.assets.find((asset) => asset.filename === filename);
      if (!match)
        throw invalidAsset(
          index,
          "previousSubmissionId",
          "names a submission of several assets, none of which has this filename",
        );
      if (links.some((link) => link?.versionGroupId === match.versionGroupId))
        throw invalidAsset(
          index,
          "previousSubmissionId",
          "would give two assets of this submission the same version group",
        );
      links.push({ versionGroupId: match.versionGroupId });
    }
  }
  return links;
}

async function readPrevious(app: App, { workspaceId, submissionId }: { workspaceId: string; submissionId: string }) {
  const submission = await app.db
    .selectFrom("submissions")
    .select("mode")
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!submission)
    throw new Failure(
      "not_found",
      "There is no submission with this previousSubmissionId in this workspace. Check the id.",
    );
  const assets = await app.db
    .selectFrom("assets")
    .select(["filename", "versionGroupId"])
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("position")
    .execute();
  return { mode: submission.mode, assets };
}
