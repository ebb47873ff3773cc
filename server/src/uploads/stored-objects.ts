import type { ClientBase } from "pg";

/** Bytes that a row stands for; `etag` where the row names it. An upload may have none yet: its URL was not used. */
export type StoredReference = { objectKey: string; etag: string | null; isExpected: boolean };

/** Every object that the database knows: code that stores a new kind of object adds it here. What is not among them is nobody's. */
export const selectStoredReferences = `
  select object_key as "objectKey", null as etag, false as "isExpected" from uploads
  union all select reference, etag, true from media where removed_at is null
  union all select object_key, etag, true from renditions
  union all select evidence_key, evidence_etag, true from asset_results where evidence_key is not null
  union all select print_key, print_etag, true from asset_results where print_key is not null
  union all select object_key, etag, true from film_parts where object_key is not null`;

/** In batches, as the client's transaction sees them. */
export async function* listStoredReferences(client: ClientBase): AsyncGenerator<StoredReference[]> {
  await client.query(`declare stored_references no scroll cursor for ${selectStoredReferences}`);
  for (;;) {
    const { rows } = await client.query<StoredReference>("fetch 1000 from stored_references");
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query("close stored_references");
}
