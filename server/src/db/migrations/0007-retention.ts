import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Set: the bytes are gone, and the row stays for the assets that refer to it.
  `alter table media add column removed_at timestamptz`,
  // Without it every sweep would read all that was ever removed.
  `create index media_present on media (media_id) where removed_at is null`,
  // Messages are written in order of time and never changed: a few bytes for thousands of rows tell where the old ones are.
  `create index realtime_messages_by_age on realtime_messages using brin (created_at)`,
];
