import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // No workspace: its rows may be gone by the time the store is back.
  await sql`
    create table removals (
      removal_id uuid primary key,
      kind text not null check (kind in ('object', 'upload')),
      object_key text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index removals_by_age on removals (created_at)`.execute(db);
}
