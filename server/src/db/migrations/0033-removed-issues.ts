import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Issues that somebody decided about and that judging again took away: their decisions, should they come back.
  `create table removed_issues (
    asset_id uuid not null references assets on delete cascade,
    fingerprint text not null,
    workspace_id text not null references workspaces on delete cascade,
    issue_id uuid not null,
    reference_number integer not null,
    severity text not null,
    status text not null,
    finding jsonb not null,
    reopened boolean not null,
    earlier_issue_id uuid,
    created_at timestamptz not null,
    changes jsonb not null,
    primary key (asset_id, fingerprint)
  )`,
  `create index removed_issues_by_workspace on removed_issues (workspace_id)`,
];
