import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { findFinishedAsset, type AssetIds } from "../submissions/reading/read-asset.ts";
import type { Asset } from "../submissions/submission.ts";
import type { Removal } from "../uploads/removals.ts";
import type { StoredEvidence } from "./store-evidence.ts";

export type EvidenceOfAsset = { asset: Asset; context: Record<string, unknown>; evidence: StoredEvidence };

/** The kept evidence of a complete asset; 404 for one that was analysed before evidence was kept, or in the sandbox. */
export async function findEvidence(app: App, ids: AssetIds): Promise<EvidenceOfAsset> {
  const asset = await findFinishedAsset(app, ids);
  const row = await app.db
    .selectFrom("assetResults")
    .select(["context", "evidenceKey", "evidenceEtag", "evidenceSha256", "evidenceSizeBytes"])
    .where("assetId", "=", asset.assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  const evidence = row && storedEvidenceOf(row);
  if (!evidence)
    throw new Failure(
      "evidence_not_kept",
      "No evidence is kept of this asset: it is from the sandbox or an earlier release. Submit the file again.",
    );
  return { asset, context: row.context, evidence };
}

/** The print of a complete asset's file; 404 where none was made. */
export async function findPrint(app: App, ids: AssetIds): Promise<StoredEvidence> {
  const asset = await findFinishedAsset(app, ids);
  const print = await printOfAsset(app, { workspaceId: ids.workspaceId, assetId: asset.assetId });
  if (!print)
    throw new Failure(
      "evidence_not_kept",
      "There is no print of this asset: it is from the sandbox or an earlier release. Submit the file again.",
    );
  return print;
}

export async function printOfAsset(
  { db }: Pick<App, "db">,
  { workspaceId, assetId }: { workspaceId: string; assetId: string },
): Promise<StoredEvidence | undefined> {
  const row = await db
    .selectFrom("assetResults")
    .select(["printKey", "printEtag", "printSha256", "printSizeBytes"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (
    !row ||
    row.printKey === null ||
    row.printEtag === null ||
    row.printSha256 === null ||
    row.printSizeBytes === null
  )
    return undefined;
  const { printKey: objectKey, printEtag: etag, printSha256: sha256, printSizeBytes: sizeBytes } = row;
  return { objectKey, etag, sha256, sizeBytes };
}

type EvidenceColumns = {
  evidenceKey: string | null;
  evidenceEtag: string | null;
  evidenceSha256: string | null;
  evidenceSizeBytes: number | null;
};

export function storedEvidenceOf(row: EvidenceColumns): StoredEvidence | undefined {
  const { evidenceKey: objectKey, evidenceEtag: etag, evidenceSha256: sha256, evidenceSizeBytes: sizeBytes } = row;
  if (objectKey === null || etag === null || sha256 === null || sizeBytes === null) return undefined;
  return { objectKey, etag, sha256, sizeBytes };
}

export async function openEvidence(app: App, { objectKey, etag }: StoredEvidence): Promise<Readable> {
  return app.store.open(objectKey, { etag });
}

export async function readEvidence(app: App, evidence: StoredEvidence): Promise<Buffer> {
  return buffer(await openEvidence(app, evidence));
}

/** The bytes that have to go with a submission; asked for before its rows are removed. */
export async function evidenceOfSubmission(
  trx: Kysely<Tables>,
  { submissionId, workspaceId }: { submissionId: string; workspaceId: string },
): Promise<Removal[]> {
  const { rows } = await sql<{ objectKey: string }>`
    select object_key from asset_results join assets using (asset_id),
        unnest(array[evidence_key, print_key]) as kept (object_key)
      where submission_id = ${submissionId} and assets.workspace_id = ${workspaceId}
        and object_key is not null
    union all select object_key from film_parts join assets using (asset_id)
      where submission_id = ${submissionId} and assets.workspace_id = ${workspaceId} and object_key is not null`.execute(
    trx,
  );
  return rows.map(({ objectKey }) => ({ kind: "object", objectKey }));
}
