import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: analysed by a release that made no prints.
  await sql`
    alter table asset_results
      add column print_key text,
      add column print_etag text,
      add column print_sha256 text,
      add column print_size_bytes bigint`.execute(db);
}
