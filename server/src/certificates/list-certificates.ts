import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { describeCertificate } from "./certificate.ts";

/** The certificates of a workspace, or of one asset and its versions, the newest first and without their envelopes. */
export async function listCertificates(
  db: Kysely<Tables>,
  options: { workspaceId: string; assetId: string | undefined; before: number | undefined; limit: number; now: Date },
) {
  const { workspaceId, assetId, before, limit, now } = options;
  let query = db.selectFrom("certificates").selectAll().where("workspaceId", "=", workspaceId);
  if (before !== undefined) query = query.where("number", "<", before);
  if (assetId !== undefined)
    query = query.where("versionGroupId", "in", (asset) =>
      asset
        .selectFrom("assets")
        .select("versionGroupId")
        .where("assetId", "=", assetId)
        .where("workspaceId", "=", workspaceId),
    );
  const rows = await query.orderBy("number", "desc").limit(limit).execute();
  return rows.map((row) => {
    const { envelope: _large, ...rest } = describeCertificate(row, now);
    return rest;
  });
}
