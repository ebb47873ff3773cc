import type { Selectable } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { notFound } from "../not-found.ts";
import { refuseForeignMarkets } from "../review/review.ts";
import type { Caller } from "../workspaces/caller.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import type { Envelope } from "./dsse.ts";
import { parseStatement } from "./statement.ts";

type CertificateRow = Selectable<Tables["certificates"]>;

export const certificateStatuses = ["VALID", "EXPIRED", "REVOKED"] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

export type DescribedCertificate = ReturnType<typeof describeCertificate>;

export function describeCertificate(row: CertificateRow, now: Date) {
  return {
    certificateId: row.certificateId,
    number: row.number,
    submissionId: row.submissionId,
    assetId: row.assetId,
    filename: row.filename,
    sha256: row.sha256,
    status: statusOf(row, now),
    supersededBy: row.supersededBy,
    supersededByRejudge: row.supersededByRejudge,
    revokedReason: row.revokedReason,
    issuedAt: row.issuedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    revokedAt: row.revokedAt?.toISOString() ?? null,
    envelope: JSON.parse(row.envelope) as Envelope,
  };
}

function statusOf({ revokedAt, expiresAt }: CertificateRow, now: Date): CertificateStatus {
  if (revokedAt !== null) return "REVOKED";
  return expiresAt <= now ? "EXPIRED" : "VALID";
}

type CertificateIds = { workspaceId: string; certificateId: string };

export async function findCertificate(db: App["db"], ids: CertificateIds): Promise<CertificateRow> {
  const row = await db
    .selectFrom("certificates")
    .selectAll()
    .where("certificateId", "=", ids.certificateId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  if (!row) throw notFound("certificate");
  return row;
}

/** Takes a certificate back. Doing it again changes nothing: the first reason stays. */
export async function revokeCertificate(
  app: App,
  { caller, certificateId, reason }: { caller: Caller; certificateId: string; reason: string },
): Promise<DescribedCertificate> {
  const { workspaceId, actor } = caller;
  return app.db.transaction().execute(async (trx) => {
    const found = await findCertificate(trx, { workspaceId, certificateId });
    const { payload } = JSON.parse(found.envelope) as Envelope;
    const statement = parseStatement(Buffer.from(payload, "base64").toString("utf8"));
    refuseForeignMarkets(statement?.predicate.decision.markets ?? [], actor.markets);
    const now = app.now();
    const row = await trx
      .updateTable("certificates")
      .set({ revokedAt: now, revokedReason: reason })
      .where("certificateId", "=", certificateId)
      .where("workspaceId", "=", workspaceId)
      .where("revokedAt", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return describeCertificate(await findCertificate(trx, { workspaceId, certificateId }), now);
    const { submissionId, assetId, number } = row;
    await recordEvent(trx, {
      workspaceId,
      submissionId,
      assetId,
      type: "certificate.revoked",
      now,
      data: {
        asset_id: assetId,
        submission_id: submissionId,
        workspace_id: workspaceId,
        certificate_id: certificateId,
        number,
        filename: row.filename,
        reason,
        livemode: caller.mode === "live",
      },
    });
    const target = { kind: "certificate", id: certificateId };
    const changes = [{ action: "certificate.revoked", target, detail: { assetId, number, reason } }];
    await recordAudit(trx, { workspaceId, actor, now, changes });
    return describeCertificate(row, now);
  });
}
