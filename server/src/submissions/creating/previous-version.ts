import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";

/** The highest lower version of the same group that is complete: what a version is compared with. */
export async function previousComplete(
  db: Kysely<Tables>,
  asset: { workspaceId: string; versionGroupId: string; versionNumber: number },
): Promise<{ assetId: string; submissionId: string; versionNumber: number } | undefined> {
  return db
    .selectFrom("assets")
    .select(["assetId", "submissionId", "versionNumber"])
    .where("workspaceId", "=", asset.workspaceId)
    .where("versionGroupId", "=", asset.versionGroupId)
    .where("versionNumber", "<", asset.versionNumber)
    .where("status", "=", "complete")
    .orderBy("versionNumber", "desc")
    .limit(1)
    .executeTakeFirst();
}
