import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table rejudges (
    rejudge_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    mode text not null,
    state text not null check (state in ('waiting', 'working', 'complete', 'failed')),
    is_dry_run boolean not null,
    request jsonb not null,
    actor_kind text not null,
    actor_id uuid not null,
    actor_name text,
    run integer not null default 0,
    position uuid,
    asset_count integer not null default 0,
    done_count integer not null default 0,
    changed_count integer not null default 0,
    skipped_count integer not null default 0,
    error_message text,
    created_at timestamptz not null,
    completed_at timestamptz
  )`,
  `create index rejudges_newest on rejudges (workspace_id, rejudge_id)`,
  // No reference to the asset: what was found stays true when the asset goes.
  `create table rejudge_changes (
    change_id uuid primary key,
    rejudge_id uuid not null references rejudges on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    submission_id uuid not null,
    asset_id uuid not null,
    filename text not null,
    change text not null check (change in ('new', 'gone', 'changed')),
    rule_code text not null,
    fingerprint text not null,
    severity_before text,
    severity_after text,
    summary text not null
  )`,
  `create index rejudge_changes_in_order on rejudge_changes (rejudge_id, change_id)`,
  `create index rejudge_changes_by_rule on rejudge_changes (rejudge_id, rule_code, change)`,
];
