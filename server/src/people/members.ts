import type { Kysely } from "kysely";
import { recordAudit } from "../audit/record-audit.ts";
import type { Role } from "../db/people-tables.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { notFound } from "../not-found.ts";
import type { Actor } from "../workspaces/caller.ts";
import type { PeopleContext } from "./person.ts";
import { endSessions } from "./sessions.ts";

export type Member = {
  personId: string;
  email: string;
  name: string;
  role: Role;
  markets: string[] | null;
  joinedAt: Date;
  disabledAt: Date | null;
  hasPassword: boolean;
};

type MemberIds = { workspaceId: string; personId: string };

export async function listMembers({ db }: PeopleContext, { workspaceId }: { workspaceId: string }): Promise<Member[]> {
  const rows = await members(db, workspaceId).orderBy("people.personId").execute();
  return rows.map(memberOf);
}

/** Sessions of the person get a new token with their next request: one that leaked before is worth nothing then. */
export async function changeMember(
  { db, now }: PeopleContext,
  options: MemberIds & { role?: Role | undefined; markets?: string[] | null | undefined; actor: Actor },
): Promise<Member> {
  const { workspaceId, personId, role, markets, actor } = options;
  return db.transaction().execute(async (trx) => {
    const before = await lockMember(trx, options);
    if (before.role === "admin" && role !== undefined && role !== "admin") await requireAnotherAdmin(trx, options);
    await trx
      .updateTable("memberships")
      .set({ role: role ?? before.role, ...(markets !== undefined && { markets }) })
      .where("workspaceId", "=", workspaceId)
      .where("personId", "=", personId)
      .execute();
    await trx.updateTable("sessions").set({ mustRotate: true }).where("personId", "=", personId).execute();
    const after = await members(trx, workspaceId).where("people.personId", "=", personId).executeTakeFirstOrThrow();
    await recordAudit(trx, {
      workspaceId,
      actor,
      now: now(),
      changes: [
        {
          action: "person.changed",
          target: { kind: "person", id: personId },
          detail: { email: after.email, fromRole: before.role, role: after.role, markets: after.markets },
        },
      ],
    });
    return memberOf(after);
  });
}

/** Out of this workspace; an account that is in no other one is left without sessions. */
export async function removeMember({ db, now }: PeopleContext, options: MemberIds & { actor: Actor }): Promise<void> {
  const { workspaceId, personId, actor } = options;
  await db.transaction().execute(async (trx) => {
    const { role, email } = await lockMember(trx, options);
    if (role === "admin") await requireAnotherAdmin(trx, options);
    await trx
      .deleteFrom("memberships")
      .where("workspaceId", "=", workspaceId)
      .where("personId", "=", personId)
      .execute();
    const elsewhere = await trx
      .selectFrom("memberships")
      .select("workspaceId")
      .where("personId", "=", personId)
      .executeTakeFirst();
    if (elsewhere)
      await trx.updateTable("sessions").set({ mustRotate: true }).where("personId", "=", personId).execute();
    else await endSessions(trx, { personId });
    await trx
      .updateTable("reviews")
      .set({ assigneeId: null })
      .where("workspaceId", "=", workspaceId)
      .where("assigneeId", "=", personId)
      .execute();
    await recordAudit(trx, {
      workspaceId,
      actor,
      now: now(),
      changes: [{ action: "person.removed", target: { kind: "person", id: personId }, detail: { email, role } }],
    });
  });
}

/** With the workspace's row locked: two admins who remove each other at once would leave none. */
async function requireAnotherAdmin(trx: Kysely<Tables>, { workspaceId, personId }: MemberIds): Promise<void> {
  const another = await trx
    .selectFrom("memberships")
    .innerJoin("people", "people.personId", "memberships.personId")
    .select("people.personId")
    .where("workspaceId", "=", workspaceId)
    .where("role", "=", "admin")
    .where("people.personId", "!=", personId)
    .where("disabledAt", "is", null)
    .executeTakeFirst();
  if (!another)
    throw new Failure("last_admin", "This is the last admin of the workspace. Make somebody else an admin first.");
}

async function lockMember(trx: Kysely<Tables>, { workspaceId, personId }: MemberIds) {
  await trx
    .selectFrom("workspaces")
    .select("workspaceId")
    .where("workspaceId", "=", workspaceId)
    .forNoKeyUpdate()
    .execute();
  const member = await members(trx, workspaceId).where("people.personId", "=", personId).executeTakeFirst();
  if (!member) throw memberNotFound();
  return member;
}

export function memberNotFound(): Failure {
  return notFound("person");
}

function members(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("people", "people.personId", "memberships.personId")
    .select([
      "people.personId",
      "email",
      "name",
      "role",
      "markets",
      "memberships.createdAt as joinedAt",
      "disabledAt",
      "passwordHash",
    ])
    .where("workspaceId", "=", workspaceId);
}

function memberOf({ passwordHash, ...member }: Omit<Member, "hasPassword"> & { passwordHash: string | null }): Member {
  return { ...member, hasPassword: passwordHash !== null };
}
