import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Role } from "../db/people-tables.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { notFound } from "../not-found.ts";
import type { Actor } from "../workspaces/caller.ts";
import { createLink, takeLink, type Link } from "./links.ts";
import { checkNewPassword, hashPassword, verifyPassword } from "./password.ts";
import { findPerson, insertPerson, parseEmail, type PeopleContext, type Person } from "./person.ts";
import { requirePasswords } from "./sign-in.ts";
import { startSession, type Browser, type Session } from "./sessions.ts";

export type Invitation = {
  invitationId: string;
  email: string;
  role: Role;
  markets: string[] | null;
  createdAt: Date;
  expiresAt: Date | null;
};

/** Anyone with the token joins the workspace. A new invitation of the same address replaces the one before. */
export async function invite(
  { db, now }: PeopleContext,
  options: { workspaceId: string; email: string; role: Role; markets: string[] | null; actor: Actor },
): Promise<{ invitation: Invitation; token: string }> {
  const { workspaceId, role, markets, actor } = options;
  const email = parseEmail(options.email);
  const at = now();
  return db.transaction().execute(async (trx) => {
    const member = await trx
      .selectFrom("memberships")
      .innerJoin("people", "people.personId", "memberships.personId")
      .select("people.personId")
      .where("workspaceId", "=", workspaceId)
      .where("email", "=", email)
      .executeTakeFirst();
    if (member) throw new Failure("person_exists", `${email} is in this workspace already. Change the role instead.`);
    await trx
      .deleteFrom("oneTimeLinks")
      .where("kind", "=", "invitation")
      .where("workspaceId", "=", workspaceId)
      .where("email", "=", email)
      .where("usedAt", "is", null)
      .execute();
    const { link, token } = await createLink(trx, {
      kind: "invitation",
      workspaceId,
      email,
      role,
      markets,
      createdBy: actor.name,
      now: at,
    });
    await recordAudit(trx, {
      workspaceId,
      actor,
      now: at,
      changes: [
        {
          action: "invitation.created",
          target: { kind: "invitation", id: link.linkId },
          detail: { email, role, markets },
        },
      ],
    });
    return { invitation: invitationOf(link), token };
  });
}

export async function listInvitations(
  { db, now }: PeopleContext,
  { workspaceId }: { workspaceId: string },
): Promise<Invitation[]> {
  const links = await db
    .selectFrom("oneTimeLinks")
    .selectAll()
    .where("kind", "=", "invitation")
    .where("workspaceId", "=", workspaceId)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", now())
    .orderBy("linkId")
    .execute();
  return links.map(invitationOf);
}

export async function withdrawInvitation(
  { db, now }: PeopleContext,
  options: { workspaceId: string; invitationId: string; actor: Actor },
): Promise<void> {
  const { workspaceId, invitationId, actor } = options;
  await db.transaction().execute(async (trx) => {
    const link = await trx
      .deleteFrom("oneTimeLinks")
      .where("kind", "=", "invitation")
      .where("linkId", "=", invitationId)
      .where("workspaceId", "=", workspaceId)
      .where("usedAt", "is", null)
      .returning("email")
      .executeTakeFirst();
    if (!link) throw notFound("invitation");
    const target = { kind: "invitation", id: invitationId };
    await recordAudit(trx, {
      workspaceId,
      actor,
      now: now(),
      changes: [{ action: "invitation.withdrawn", target, detail: { email: link.email } }],
    });
  });
}

/**
 * Joins the workspace of an invitation. Somebody who has an account proves that it is theirs, by the session or the
 * password: the link alone must not open the account.
 */
export async function acceptInvitation(
  app: App,
  options: {
    token: string;
    name: string | undefined;
    password: string | undefined;
    session: Session | undefined;
    browser: Browser;
  },
): Promise<{ token: string }> {
  const { name, password, session, browser } = options;
  if (!session) requirePasswords(app);
  const now = app.now();
  // Before the transaction: nobody waits for a lock while a password is hashed.
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return app.db.transaction().execute(async (trx) => {
    const link = await takeLink(trx, { kind: "invitation", token: options.token, now });
    const known = await findPerson(trx, link.email ?? "");
    if (!known && password !== undefined) checkNewPassword(password);
    if (!known && (password === undefined || name === undefined))
      throw new Failure("invalid_request", "A new account needs a name and a password.", {
        details: [{ path: password === undefined ? "password" : "name", message: "is required" }],
      });
    if (known && session?.personId !== known.personId) await proveAccount(known, password);
    const person = known ?? (await insertPerson(trx, { email: link.email ?? "", name: name ?? "", passwordHash, now }));
    await joinWorkspace(trx, { person, link, now });
    const { personId } = person;
    return startSession(trx, { personId, workspaceId: link.workspaceId, browser, now });
  });
}

async function proveAccount(person: Person, password: string | undefined): Promise<void> {
  const isRight = await verifyPassword(password ?? "", person.disabledAt ? null : person.passwordHash);
  if (!isRight)
    throw new Failure(
      "sign_in_failed",
      "You have an account already. Sign in first, or give its password with the link.",
    );
}

export async function joinWorkspace(
  trx: Kysely<Tables>,
  { person, link, now }: { person: Person; link: Link; now: Date },
): Promise<void> {
  const { personId, name } = person;
  const { workspaceId, role, markets } = link;
  if (workspaceId === null || role === null) return;
  await trx
    .insertInto("memberships")
    .values({ personId, workspaceId, role, markets, createdAt: now })
    .onConflict((conflict) => conflict.columns(["workspaceId", "personId"]).doNothing())
    .execute();
  await recordAudit(trx, {
    workspaceId,
    actor: { kind: "person", id: personId, name },
    now,
    changes: [{ action: "person.joined", target: { kind: "person", id: personId }, detail: { role, markets } }],
  });
}

function invitationOf({ linkId, email, role, markets, createdAt, expiresAt }: Link): Invitation {
  return { invitationId: linkId, email: email ?? "", role: role ?? "viewer", markets, createdAt, expiresAt };
}
