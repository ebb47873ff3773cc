import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspaces
      add column default_sidekick_ids uuid[],
      add column default_context jsonb
  `.execute(db);
}
