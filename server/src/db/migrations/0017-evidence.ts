import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: analysed by a release that kept no evidence.
  await sql`
    alter table asset_results
      add column evidence_key text,
      add column evidence_etag text,
      add column evidence_sha256 text,
      add column evidence_size_bytes bigint`.execute(db);
}
