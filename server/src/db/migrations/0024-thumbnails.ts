import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table rendering add column frames_per_second double precision`,
  `alter table renditions drop constraint renditions_kind_check`,
  // Not valid: every old row passed the narrower check, and a scan would hold up all writers.
  `alter table renditions add constraint renditions_kind_check
    check (kind in ('media', 'poster', 'thumbnail', 'filmstrip', 'waveform', 'page')) not valid`,
];
