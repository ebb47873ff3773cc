import type { App } from "../app.ts";
import { readPublishedKeys, type Envelope } from "./dsse.ts";
import { publishedKeys } from "./signing-keys.ts";
import { verifyCertificate, type Verification } from "./verify-certificate.ts";

export type DatabaseVerification = Verification & { supersededBy: string | null; supersededByRejudge: string | null };

/** With what only the service knows: its keys, and what it revoked. Of other workspaces' certificates it says nothing. */
export async function verifyByDatabase(
  app: App,
  options: { workspaceId: string; envelope: Envelope; sha256: string | undefined },
): Promise<DatabaseVerification> {
  const { workspaceId, envelope, sha256 } = options;
  const keys = readPublishedKeys(await publishedKeys(app.db));
  const now = app.now();
  const checked = verifyCertificate(envelope, { keys, now, sha256 });
  const predicate = checked.statement?.predicate;
  if (predicate?.workspaceId !== workspaceId)
    return {
      trust: "UNTRUSTED",
      reason: checked.reason ?? "It is a certificate of another workspace.",
      file: null,
      statement: null,
      supersededBy: null,
      supersededByRejudge: null,
    };
  const row = await app.db
    .selectFrom("certificates")
    .select(["revokedAt", "supersededBy", "supersededByRejudge"])
    .where("certificateId", "=", predicate.certificateId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  const isRevoked = row !== undefined && row.revokedAt !== null;
  return {
    ...verifyCertificate(envelope, { keys, now, sha256, isRevoked }),
    supersededBy: row?.supersededBy ?? null,
    supersededByRejudge: row?.supersededByRejudge ?? null,
  };
}
