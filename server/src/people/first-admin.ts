import { createHmac } from "node:crypto";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { deriveKey } from "../secret-key.ts";
import { takeLink } from "./links.ts";
import { checkNewPassword, hashPassword } from "./password.ts";
import { insertPerson, type PeopleContext } from "./person.ts";
import { startSession, type Browser } from "./sessions.ts";
import { hashToken } from "./token.ts";

/**
 * The token that makes the first admin, as long as there is nobody. It follows from the link's id and the secret key, so
 * that every start can print it although only its hash is stored.
 */
export async function issueSetupToken(
  { db, now }: PeopleContext,
  { secretKey }: { secretKey: Buffer },
): Promise<string | undefined> {
  const anybody = await db.selectFrom("people").select("personId").limit(1).executeTakeFirst();
  if (anybody) return undefined;
  const tokenOf = (linkId: string) =>
    createHmac("sha256", deriveKey(secretKey, "setup link")).update(linkId).digest("base64url");
  const linkId = uuidv7();
  await db
    .insertInto("oneTimeLinks")
    .values({ linkId, kind: "setup", tokenHash: hashToken(tokenOf(linkId)), createdAt: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const link = await db
    .selectFrom("oneTimeLinks")
    .select("linkId")
    .where("kind", "=", "setup")
    .where("usedAt", "is", null)
    .executeTakeFirst();
  return link && tokenOf(link.linkId);
}

/** Makes the first admin, of every workspace there is: the link is shown only to the operator. */
export async function setUpFirstAdmin(
  app: App,
  options: { token: string; email: string; name: string; password: string | undefined; browser: Browser },
): Promise<{ token: string }> {
  const { email, name, password, browser } = options;
  if (app.config.passwords && password === undefined)
    throw new Failure("invalid_request", "Choose a password.", {
      details: [{ path: "password", message: "is required" }],
    });
  if (password !== undefined) checkNewPassword(password);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  const now = app.now();
  return app.db.transaction().execute(async (trx) => {
    await takeLink(trx, { kind: "setup", token: options.token, now });
    const anybody = await trx.selectFrom("people").select("personId").limit(1).executeTakeFirst();
    if (anybody)
      throw new Failure("link_not_valid", "There are people already. Ask one of the admins for an invitation.");
    const person = await insertPerson(trx, { email, name, passwordHash, now });
    const workspaces = await trx.selectFrom("workspaces").select("workspaceId").orderBy("workspaceId").execute();
    const { personId } = person;
    const session = await startSession(trx, { personId, browser, now });
    for (const { workspaceId } of workspaces) {
      await trx.insertInto("memberships").values({ personId, workspaceId, role: "admin", createdAt: now }).execute();
      await recordAudit(trx, {
        workspaceId,
        actor: { kind: "person", id: personId, name: person.name },
        now,
        changes: [
          { action: "person.joined", target: { kind: "person", id: personId }, detail: { role: "admin", by: "setup" } },
        ],
      });
    }
    return session;
  });
}
