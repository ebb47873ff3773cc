import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // No reference to the run: that a result was replaced stays true when the run is gone.
  `alter table certificates add column superseded_by_rejudge uuid`,
  `create index certificates_by_asset on certificates (asset_id) where superseded_by_rejudge is null`,
  // One for each pair: the same file and the same certificate are never compared twice.
  `create table verifications (
    verification_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    certificate_id uuid not null references certificates on delete cascade,
    asset_id uuid not null references assets on delete cascade,
    state text not null check (state in ('waiting', 'working', 'complete', 'failed')),
    result jsonb,
    error_message text,
    created_at timestamptz not null,
    completed_at timestamptz,
    unique (certificate_id, asset_id)
  )`,
  `create index verifications_by_workspace on verifications (workspace_id)`,
  `create index verifications_by_asset on verifications (asset_id)`,
];
