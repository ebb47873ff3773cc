import type { ContentVerification } from "@greenlit/engine/print/verify-file.ts";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { VerificationState } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { printOfAsset } from "../evidence/read-evidence.ts";
import type { StoredEvidence } from "../evidence/store-evidence.ts";
import { Failure } from "../failure.ts";
import { verificationQueue } from "../queue/queues.ts";
import { findFinishedAsset } from "../submissions/reading/read-asset.ts";
import type { Asset } from "../submissions/submission.ts";
import type { Statement } from "./statement.ts";

export type VerificationJob = { verificationId: string; workspaceId: string };

export type ContentAnswer = {
  state: VerificationState;
  errorMessage: string | null;
  /** Null until the state is `complete`. */
  result: ContentVerification | null;
};

/** The asset of a workspace by its id alone; 404 unless it is complete. */
export async function findAnalysedAsset(
  app: App,
  { workspaceId, assetId }: { workspaceId: string; assetId: string },
): Promise<Asset> {
  const row = await app.db
    .selectFrom("assets")
    .select("submissionId")
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw new Failure("not_found", "There is no such asset in this workspace. Check the id and the key.");
  return findFinishedAsset(app, { workspaceId, submissionId: row.submissionId, assetId });
}

/** A failure is told to who waits for the answer before it is tried again. */
const toldForMs = 60_000;

/**
 * What an asset's file shows and plays, compared with what the certificate clears. Begins the comparison when it is asked
 * for the first time, or a while after it failed, and tells how far it is.
 */
export async function compareContent(
  app: App,
  { asset, statement }: { asset: Asset; statement: Statement },
): Promise<ContentAnswer> {
  const { assetId, workspaceId } = asset;
  const { certificateId } = statement.predicate;
  await findPrints(app, { statement, assetId });
  const verificationId = uuidv7(app.now().getTime());
  const again = new Date(app.now().getTime() - toldForMs);
  return app.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ verificationId: string }>`
      insert into verifications (verification_id, workspace_id, certificate_id, asset_id, state, created_at)
        values (${verificationId}, ${workspaceId}, ${certificateId}, ${assetId}, 'waiting', ${app.now()})
        on conflict (certificate_id, asset_id) do update set state = 'waiting', error_message = null
          where verifications.state = 'failed' and verifications.completed_at < ${again}
        returning verification_id`.execute(trx);
    const [begun] = rows;
    if (begun)
      await app.queue.enqueue(trx, verificationQueue, [
        { data: { verificationId: begun.verificationId, workspaceId } satisfies VerificationJob },
      ]);
    const row = await trx
      .selectFrom("verifications")
      .select(["state", "errorMessage", "result"])
      .where("certificateId", "=", certificateId)
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    return {
      state: row.state,
      errorMessage: row.errorMessage,
      result: row.result as unknown as ContentVerification | null,
    };
  });
}

/** Both prints: the one that the certificate names, and that of the asset. */
export async function findPrints(
  app: App,
  { statement, assetId }: { statement: Statement; assetId: string },
): Promise<{ master: StoredEvidence; known: StoredEvidence }> {
  const { predicate } = statement;
  const { workspaceId } = predicate;
  const master = await printOfAsset(app, { workspaceId, assetId: predicate.assetId });
  if (!master || master.sha256 !== predicate.printSha256)
    throw new Failure(
      "evidence_not_kept",
      "The print that the certificate names is not kept any more. Compare with greenlit verify and a saved print.",
    );
  const known = await printOfAsset(app, { workspaceId, assetId });
  if (!known)
    throw new Failure(
      "evidence_not_kept",
      "There is no print of this asset: it is from the sandbox or an earlier release. Submit the file again.",
    );
  return { master, known };
}
