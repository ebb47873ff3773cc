import type { Kysely } from "kysely";
import { runPrepared } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";

/** What the verbs on people need; an operator's command has no more. */
export type PeopleContext = { db: Kysely<Tables>; now: () => Date };

export type Person = Tables["people"];

export function findPerson(db: Kysely<Tables>, email: string): Promise<Person | undefined> {
  return db.selectFrom("people").selectAll().where("email", "=", normalizeEmail(email)).executeTakeFirst();
}

export async function insertPerson(
  trx: Kysely<Tables>,
  options: { email: string; name: string; passwordHash: string | null; now: Date },
): Promise<Person> {
  const { name, passwordHash, now } = options;
  const inserted = await trx
    .insertInto("people")
    .values({
      personId: uuidv7(now.getTime()),
      email: parseEmail(options.email),
      name: name.trim(),
      passwordHash,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!inserted)
    throw new Failure("person_exists", "There is somebody with this e-mail address already. Sign in instead.");
  return inserted;
}

/** The workspaces a person is in, for what concerns all of them. */
export async function workspacesOf(db: Kysely<Tables>, personId: string): Promise<string[]> {
  const rows = await runPrepared<{ workspaceId: string }>(
    db,
    "select workspace_id from memberships where person_id = $1 order by workspace_id",
    [personId],
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

export function normalizeEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

/** The address in the spelling it is stored in; a 422 when it is not an address. */
export function parseEmail(email: string): string {
  const normalized = normalizeEmail(email);
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(normalized))
    throw new Failure("invalid_request", `"${email.slice(0, 100)}" is not an e-mail address.`, {
      details: [{ path: "email", message: "must be an e-mail address" }],
    });
  return normalized;
}
