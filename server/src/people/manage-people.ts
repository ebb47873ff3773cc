import type { Kysely } from "kysely";
import type { Role } from "../db/people-tables.ts";
import type { Tables } from "../db/tables.ts";
import { OperatorError } from "../failure.ts";
import { operator } from "../workspaces/caller.ts";
import { findWorkspace } from "../workspaces/manage-workspaces.ts";
import { changeMember } from "./members.ts";
import { recordEverywhere } from "./passwords.ts";
import { findPerson, workspacesOf, type PeopleContext, type Person } from "./person.ts";
import { endSessions } from "./sessions.ts";

export type ListedPerson = {
  personId: string;
  email: string;
  name: string;
  disabledAt: Date | null;
  createdAt: Date;
  workspaces: { workspaceId: string; name: string; role: Role }[];
};

/** What the operator does with people, from the command line. */
export async function listPeople(
  db: Kysely<Tables>,
  options: { workspace?: string | undefined },
): Promise<ListedPerson[]> {
  const workspace = options.workspace === undefined ? undefined : await findWorkspace(db, options.workspace);
  const people = await db
    .selectFrom("people")
    .select(["personId", "email", "name", "disabledAt", "createdAt"])
    .orderBy("personId")
    .execute();
  const memberships = await db
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.workspaceId", "memberships.workspaceId")
    .select(["memberships.personId", "memberships.workspaceId", "workspaces.name", "memberships.role"])
    .orderBy("memberships.workspaceId")
    .execute();
  const byPerson = Map.groupBy(memberships, ({ personId }) => personId);
  return people
    .map((person) => ({
      ...person,
      workspaces: (byPerson.get(person.personId) ?? []).map(({ workspaceId, name, role }) => ({
        workspaceId,
        name,
        role,
      })),
    }))
    .filter(
      ({ workspaces }) => !workspace || workspaces.some(({ workspaceId }) => workspaceId === workspace.workspaceId),
    );
}

export async function setRole(
  context: PeopleContext,
  options: { workspace: string; email: string; role: Role },
): Promise<{ personId: string; email: string; role: Role; workspaceId: string }> {
  const { workspaceId, name } = await findWorkspace(context.db, options.workspace);
  const { personId, email } = await findByEmail(context.db, options.email);
  if (!(await workspacesOf(context.db, personId)).includes(workspaceId))
    throw new OperatorError(
      `${email} is not in the workspace "${name}". Invite them: greenlit people invite ${email} --workspace ${name} --role ${options.role}`,
    );
  const { role } = await changeMember(context, { workspaceId, personId, role: options.role, actor: operator });
  return { personId, email, role, workspaceId };
}

/** The account cannot sign in, and its sessions are over within 5 seconds on every process. */
export async function setDisabled(
  { db, now }: PeopleContext,
  { email, isDisabled }: { email: string; isDisabled: boolean },
): Promise<{ personId: string; email: string; disabledAt: Date | null }> {
  const { personId } = await findByEmail(db, email);
  return db.transaction().execute(async (trx) => {
    const person = await trx
      .updateTable("people")
      .set({ disabledAt: isDisabled ? now() : null })
      .where("personId", "=", personId)
      .returning(["personId", "email", "disabledAt"])
      .executeTakeFirstOrThrow();
    if (isDisabled) await endSessions(trx, { personId });
    const action = isDisabled ? "person.disabled" : "person.enabled";
    await recordEverywhere(trx, { personId, actor: operator, now: now(), action });
    return person;
  });
}

export async function findByEmail(db: Kysely<Tables>, email: string): Promise<Person> {
  const person = await findPerson(db, email);
  if (!person)
    throw new OperatorError(`There is nobody with the address "${email}". See them with: greenlit people list`);
  return person;
}
