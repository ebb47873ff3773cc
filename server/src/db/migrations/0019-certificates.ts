import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The private part is encrypted. A retired key signs no more; what it signed stays valid.
  `create table signing_keys (
    key_id text primary key,
    public_key text not null,
    private_key bytea not null,
    created_at timestamptz not null,
    retired_at timestamptz
  )`,
  // Of two processes that make the first key at once, one wins.
  `create unique index signing_keys_active on signing_keys ((retired_at is null)) where retired_at is null`,
  // No reference to the asset: a certificate must stay readable when the asset is gone. The envelope is text: what is
  // signed keeps its spelling.
  `create table certificates (
    certificate_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    number integer not null,
    submission_id uuid not null,
    asset_id uuid not null,
    version_group_id uuid not null,
    filename text not null,
    sha256 text not null,
    key_id text not null references signing_keys,
    envelope text not null,
    issued_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    revoked_reason text,
    superseded_by uuid,
    unique (workspace_id, number)
  )`,
  `create index certificates_by_group on certificates (workspace_id, version_group_id)`,
  `create index certificates_by_key on certificates (key_id)`,
];
