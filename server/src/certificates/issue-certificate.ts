import type { Finding } from "@greenlit/engine/finding.ts";
import { sql, type Kysely } from "kysely";
import packageFile from "../../package.json" with { type: "json" };
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { isApproval, lockReview, refuseForeignMarkets } from "../review/review.ts";
import { checkMode } from "../submissions/check-mode.ts";
import { findFinishedAsset, type AssetIds } from "../submissions/reading/read-asset.ts";
import type { Asset } from "../submissions/submission.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import type { Caller } from "../workspaces/caller.ts";
import { describeCertificate, type DescribedCertificate } from "./certificate.ts";
import { signEnvelope } from "./dsse.ts";
import { signingKey } from "./signing-keys.ts";
import { wording, type Statement } from "./statement.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Certifies an approved asset. Certificates of the same asset and of its earlier versions are superseded by it. */
export async function issueCertificate(
  app: App,
  options: Omit<AssetIds, "workspaceId"> & { caller: Caller; validDays: number },
): Promise<DescribedCertificate> {
  const { caller, submissionId, assetId, validDays } = options;
  const { workspaceId, actor } = caller;
  const ids = { workspaceId, submissionId, assetId };
  const asset = await findFinishedAsset(app, ids);
  return app.db.transaction().execute(async (trx) => {
    const review = await lockReview(app, trx, ids);
    checkMode(caller, review);
    const decision = await trx
      .selectFrom("reviewDecisions")
      .selectAll()
      .where("reviewId", "=", review.reviewId)
      .where("workspaceId", "=", workspaceId)
      .where("supersededBy", "is", null)
      .executeTakeFirst();
    if (!decision || !isApproval(decision.decision) || !isApproval(review.state))
      throw new Failure("asset_not_approved", "Only an approved asset can be certified. Decide its review first.");
    if (asset.sha256 === null)
      throw new Failure("asset_not_approved", "The asset was not analysed, so there is no file to certify.");
    refuseForeignMarkets(decision.markets, actor.markets);
    const now = app.now();
    const certificateId = uuidv7(now.getTime());
    const number = await nextNumber(trx, workspaceId);
    const key = await signingKey(trx, app);
    const expiresAt = new Date(now.getTime() + validDays * dayMs);
    const statement: Statement = {
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name: asset.filename, digest: { sha256: asset.sha256 } }],
      predicateType: "urn:greenlit:clearance:v1",
      predicate: {
        certificateId,
        number,
        wording,
        workspaceId,
        submissionId,
        assetId,
        versionGroupId: asset.versionGroupId,
        versionNumber: asset.versionNumber,
        sizeBytes: asset.sizeBytes,
        decision: {
          decision: decision.decision,
          reason: decision.reason,
          conditions: decision.conditions,
          markets: decision.markets,
          decidedBy: {
            kind: decision.actorKind,
            id: decision.actorId,
            name: decision.actorName,
            role: await roleOf(trx, { workspaceId, personId: decision.actorId }),
          },
          decidedAt: decision.createdAt.toISOString(),
        },
        engineVersion: packageFile.version,
        ...(await factsOf(app, trx, asset)),
        issuedAt: now.toISOString(),
        expiresAt: expiresAt.toISOString(),
      },
    };
    await trx
      .updateTable("certificates")
      .set({ supersededBy: certificateId })
      .where("workspaceId", "=", workspaceId)
      .where("versionGroupId", "=", asset.versionGroupId)
      .where("supersededBy", "is", null)
      .execute();
    const row = await trx
      .insertInto("certificates")
      .values({
        certificateId,
        workspaceId,
        number,
        submissionId,
        assetId,
        versionGroupId: asset.versionGroupId,
        filename: asset.filename,
        sha256: asset.sha256,
        keyId: key.keyId,
        envelope: JSON.stringify(signEnvelope(JSON.stringify(statement), key)),
        issuedAt: now,
        expiresAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(trx, {
      ...ids,
      type: "certificate.issued",
      now,
      data: {
        asset_id: assetId,
        submission_id: submissionId,
        workspace_id: workspaceId,
        certificate_id: certificateId,
        number,
        filename: asset.filename,
        expires_at: expiresAt.toISOString(),
        livemode: caller.mode === "live",
      },
    });
    const target = { kind: "certificate", id: certificateId };
    const changes = [{ action: "certificate.issued", target, detail: { assetId, number } }];
    await recordAudit(trx, { workspaceId, actor, now, changes });
    return describeCertificate(row, now);
  });
}

/** Null for a key, and for a person who has left since. */
async function roleOf(
  trx: Kysely<Tables>,
  { workspaceId, personId }: { workspaceId: string; personId: string },
): Promise<string | null> {
  const row = await trx
    .selectFrom("memberships")
    .select("role")
    .where("personId", "=", personId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** Counted in the workspace; the one before waits for this transaction. */
async function nextNumber(trx: Kysely<Tables>, workspaceId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`certificates ${workspaceId}`}, 0))`.execute(trx);
  const { last } = await trx
    .selectFrom("certificates")
    .select((where) => where.fn.coalesce(where.fn.max<number>("number"), where.lit(0)).as("last"))
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return last + 1;
}

async function factsOf(app: App, trx: Kysely<Tables>, { assetId, workspaceId, submissionId }: Asset) {
  const result = await trx
    .selectFrom("assetResults")
    .select(["context", "evidenceSha256", "printSha256"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  const { sidekickIds } = await trx
    .selectFrom("submissions")
    .select("sidekickIds")
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const issues = await trx
    .selectFrom("issues")
    .select(["issueId", "ruleCode", "severity", "status", "fingerprint", "finding"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("position")
    .execute();
  const head = await trx
    .selectFrom("auditHeads")
    .select("hash")
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  const reasons = await reasonsOf(trx, { assetId, workspaceId });
  const issueCounts: Record<string, number> = {};
  for (const { severity, status } of issues) {
    const name = `${severity} ${status}`;
    issueCounts[name] = (issueCounts[name] ?? 0) + 1;
  }
  return {
    context: result?.context ?? {},
    packs: app.sidekicks
      .filter(({ sidekickId }) => sidekickIds.includes(sidekickId))
      .map(({ sidekickId, name, packVersion }) => ({ sidekickId, name, packVersion })),
    issueCounts,
    dismissals: issues
      .filter(({ status }) => status === "DISMISSED")
      .map(({ issueId, ruleCode, severity, fingerprint, finding }) => ({
        ruleCode,
        ruleVersion: (finding as Finding).ruleVersion,
        severity,
        fingerprint,
        reason: reasons.get(issueId)?.reason ?? null,
        reasonCode: reasons.get(issueId)?.reasonCode ?? null,
      })),
    evidenceSha256: result?.evidenceSha256 ?? null,
    printSha256: result?.printSha256 ?? null,
    auditHead: head?.hash.toString("hex") ?? null,
  };
}

type Reason = { issueId: string; reason: string | null; reasonCode: string | null };

/** Why each issue has the status that it has: the last change of it. */
async function reasonsOf(
  trx: Kysely<Tables>,
  { assetId, workspaceId }: { assetId: string; workspaceId: string },
): Promise<Map<string, Reason>> {
  const { rows } = await sql<Reason>`
    select distinct on (issue_id) issue_id, reason, reason_code
      from issue_status_changes join issues using (issue_id)
      where asset_id = ${assetId} and issues.workspace_id = ${workspaceId}
      order by issue_id, change_id desc`.execute(trx);
  return new Map(rows.map((row) => [row.issueId, row]));
}
