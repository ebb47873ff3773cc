import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row for each issued URL or direct upload: a filename uploaded again is a new row and a new object.
  await sql`
    create table uploads (
      upload_id uuid primary key,
      workspace_id text not null references workspaces on delete cascade,
      filename text not null,
      content_type text not null,
      object_key text not null unique,
      issued_at timestamptz not null,
      url_expires_at timestamptz
    )`.execute(db);
  await sql`create index uploads_by_filename on uploads (workspace_id, filename, upload_id desc)`.execute(db);
  await sql`create index uploads_by_age on uploads (issued_at)`.execute(db);

  // Bytes that a submission took: frozen in the store, and kept for as long as an asset refers to them.
  await sql`
    create table media (
      media_id uuid primary key,
      workspace_id text not null references workspaces on delete cascade,
      upload_id uuid not null references uploads,
      source_etag text not null,
      reference text not null,
      etag text not null,
      size_bytes bigint not null,
      sha256 text,
      created_at timestamptz not null default now(),
      unique (upload_id, source_etag)
    )`.execute(db);
}
