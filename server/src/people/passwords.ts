import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import type { Actor } from "../workspaces/caller.ts";
import { createLink, takeLink } from "./links.ts";
import { memberNotFound } from "./members.ts";
import { checkNewPassword, hashPassword, verifyPassword } from "./password.ts";
import { workspacesOf, type PeopleContext } from "./person.ts";
import { endSessions } from "./sessions.ts";
import { requirePasswords, throttleSignIn } from "./sign-in.ts";

/** A link that sets a new password. Links that were made before it stop working. */
export async function createResetLink(
  { db, now }: PeopleContext,
  { personId, actor }: { personId: string; actor: Actor },
): Promise<{ token: string; expiresAt: Date | null }> {
  const at = now();
  return db.transaction().execute(async (trx) => {
    await forgetResetLinks(trx, personId);
    const { link, token } = await createLink(trx, { kind: "reset", personId, createdBy: actor.name, now: at });
    await recordEverywhere(trx, { personId, actor, now: at, action: "person.reset_link_created" });
    return { token, expiresAt: link.expiresAt };
  });
}

/** An admin may not open an account that is also in a workspace of others: that takes the operator. */
export async function createResetLinkAsAdmin(
  app: PeopleContext,
  options: { workspaceId: string; personId: string; admin: { id: string; name: string | null } },
): Promise<{ token: string; expiresAt: Date | null }> {
  const { workspaceId, personId, admin } = options;
  const theirs = await workspacesOf(app.db, personId);
  if (!theirs.includes(workspaceId)) throw memberNotFound();
  const administered = await app.db
    .selectFrom("memberships")
    .select("workspaceId")
    .where("personId", "=", admin.id)
    .where("role", "=", "admin")
    .execute();
  const isAllowed = theirs.every((id) => administered.some((membership) => membership.workspaceId === id));
  if (!isAllowed)
    throw new Failure(
      "role_required",
      "This person is also in a workspace that you do not administer. Ask the operator for a link: greenlit people reset-link.",
    );
  return createResetLink(app, { personId, actor: { kind: "person", ...admin } });
}

/** Sets the password that a link allows, and ends every session: an intruder is signed out too. */
export async function resetPassword(
  app: App,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<void> {
  requirePasswords(app);
  await throttleSignIn(app, { by: "link", address });
  checkNewPassword(password);
  const passwordHash = await hashPassword(password);
  const now = app.now();
  await app.db.transaction().execute(async (trx) => {
    const { personId } = await takeLink(trx, { kind: "reset", token, now });
    if (personId === null) return;
    const person = await trx
      .updateTable("people")
      .set({ passwordHash })
      .where("personId", "=", personId)
      .returning("name")
      .executeTakeFirstOrThrow();
    await endSessions(trx, { personId });
    const actor: Actor = { kind: "person", id: personId, name: person.name };
    await recordEverywhere(trx, { personId, actor, now, action: "person.password_reset" });
  });
  app.sessions.forget();
}

/** The other sessions end: one of them may be why the password is changed. */
export async function changePassword(
  app: App,
  options: {
    personId: string;
    name: string;
    sessionId: string;
    currentPassword: string;
    newPassword: string;
    address: string;
  },
): Promise<void> {
  const { personId, sessionId, currentPassword, newPassword } = options;
  requirePasswords(app);
  const person = await app.db
    .selectFrom("people")
    .select(["passwordHash", "email"])
    .where("personId", "=", personId)
    .executeTakeFirstOrThrow();
  await throttleSignIn(app, { by: "password", email: person.email, address: options.address });
  checkNewPassword(newPassword);
  if (!(await verifyPassword(currentPassword, person.passwordHash)))
    throw new Failure("sign_in_failed", "The current password is not right.");
  const passwordHash = await hashPassword(newPassword);
  await app.db.transaction().execute(async (trx) => {
    await trx.updateTable("people").set({ passwordHash }).where("personId", "=", personId).execute();
    await endSessions(trx, { personId, exceptSessionId: sessionId });
    await forgetResetLinks(trx, personId);
    const actor: Actor = { kind: "person", id: personId, name: options.name };
    await recordEverywhere(trx, { personId, actor, now: app.now(), action: "person.password_changed" });
  });
  app.sessions.forget();
}

async function forgetResetLinks(trx: Kysely<Tables>, personId: string): Promise<void> {
  await trx
    .deleteFrom("oneTimeLinks")
    .where("kind", "=", "reset")
    .where("personId", "=", personId)
    .where("usedAt", "is", null)
    .execute();
}

/** An account's own changes concern every workspace that it is in. */
export async function recordEverywhere(
  trx: Kysely<Tables>,
  options: { personId: string; actor: Actor; now: Date; action: string },
): Promise<void> {
  const { personId, actor, now, action } = options;
  for (const workspaceId of await workspacesOf(trx, personId))
    await recordAudit(trx, {
      workspaceId,
      actor,
      now,
      changes: [{ action, target: { kind: "person", id: personId } }],
    });
}
