import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // For a statement that finds out half-way that it must not be: nothing of it stays, without a transaction around it.
  `create function refuse(reason text) returns boolean language plpgsql as
    $$ begin raise exception using errcode = 'GL001', message = reason; end $$`,
];
