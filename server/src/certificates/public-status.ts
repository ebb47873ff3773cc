import type { App } from "../app.ts";
import { Failure } from "../failure.ts";
import { describeCertificate } from "./certificate.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * What anybody with the certificate in hand may know: whether it still holds. Its id cannot be guessed; still, nothing
 * here tells whose it is, what the file is called or why it was revoked.
 */
export async function readPublicStatus({ db, now }: Pick<App, "db" | "now">, certificateId: string) {
  const row = uuid.test(certificateId)
    ? await db.selectFrom("certificates").selectAll().where("certificateId", "=", certificateId).executeTakeFirst()
    : undefined;
  if (!row) throw new Failure("not_found", "There is no such certificate. Check the address.");
  const { number, sha256, status, issuedAt, expiresAt, revokedAt } = describeCertificate(row, now());
  return {
    certificateId: row.certificateId,
    number,
    status,
    isSuperseded: row.supersededBy !== null || row.supersededByRejudge !== null,
    sha256,
    issuedAt,
    expiresAt,
    revokedAt,
  };
}
