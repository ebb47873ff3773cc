import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const states = `'awaiting_review', 'in_review', 'changes_requested', 'approved', 'approved_with_conditions', 'rejected', 'escalated', 'withdrawn'`;

const statements = [
  // Who submitted: null for what was there before.
  `alter table submissions add column actor_kind text, add column actor_id uuid`,
  `alter table workspaces add column review_rules jsonb`,

  `alter table issue_status_changes
    alter column key_id drop not null,
    add column person_id uuid,
    add column reason_code text,
    -- Set: the status that somebody proposed and a second person has to confirm.
    add column proposed_status text`,

  // Everything that the queue shows or filters by stands in this one row: a page of it never joins.
  `create table reviews (
    review_id uuid primary key,
    asset_id uuid not null unique references assets on delete cascade,
    submission_id uuid not null,
    workspace_id text not null references workspaces on delete cascade,
    mode text not null,
    state text not null check (state in (${states})),
    filename text not null,
    content_type text not null,
    version_group_id uuid not null,
    version_number integer not null,
    markets text[] not null default '{}',
    critical_count integer not null default 0,
    major_count integer not null default 0,
    minor_count integer not null default 0,
    info_count integer not null default 0,
    undecided_count integer not null default 0,
    severity text generated always as (case
      when critical_count > 0 then 'CRITICAL' when major_count > 0 then 'MAJOR'
      when minor_count > 0 then 'MINOR' when info_count > 0 then 'INFO' else 'NONE' end) stored,
    uploader_kind text,
    uploader_id uuid,
    assignee_id uuid references people on delete set null,
    due_at timestamptz,
    claimed_by uuid,
    claimed_until timestamptz,
    opened_at timestamptz not null,
    updated_at timestamptz not null,
    decided_at timestamptz
  )`,
  `create index reviews_newest on reviews (workspace_id, mode, review_id)`,
  `create index reviews_by_state on reviews (workspace_id, mode, state, review_id)`,
  `create index reviews_by_severity on reviews (workspace_id, mode, severity, state, review_id)`,
  `create index reviews_by_assignee on reviews (workspace_id, mode, assignee_id, state, review_id) where assignee_id is not null`,
  `create index reviews_unassigned on reviews (workspace_id, mode, state, review_id) where assignee_id is null`,
  `create index reviews_of_assignee on reviews (assignee_id) where assignee_id is not null`,
  `create index reviews_by_market on reviews using gin (markets)`,
  `create index reviews_by_words on reviews using gin (to_tsvector('simple', filename))`,
  `create index reviews_by_group on reviews (version_group_id, version_number)`,

  `create table review_decisions (
    decision_id uuid primary key,
    review_id uuid not null references reviews on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    decision text not null,
    reason text,
    conditions text[] not null default '{}',
    markets text[] not null default '{}',
    actor_kind text not null,
    actor_id uuid not null,
    actor_name text,
    created_at timestamptz not null,
    superseded_by uuid
  )`,
  `create index review_decisions_by_review on review_decisions (review_id, decision_id)`,
  `create index review_decisions_by_workspace on review_decisions (workspace_id)`,

  // By version group: an open thread is shown on every later version.
  `create table comments (
    comment_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    asset_id uuid not null references assets on delete cascade,
    version_group_id uuid not null,
    version_number integer not null,
    -- Null: begins a thread.
    thread_id uuid references comments on delete cascade,
    text text not null,
    anchor jsonb,
    fingerprint text,
    actor_kind text not null,
    actor_id uuid not null,
    actor_name text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    resolved_at timestamptz,
    resolved_by text,
    deleted_at timestamptz
  )`,
  `create index comments_by_group on comments (workspace_id, version_group_id, comment_id)`,
  `create index comments_by_asset on comments (asset_id)`,
  `create index comments_by_thread on comments (thread_id)`,

  // Assets that were complete before reviews existed.
  `insert into reviews (review_id, asset_id, submission_id, workspace_id, mode, state, filename, content_type,
      version_group_id, version_number, critical_count, major_count, minor_count, info_count, undecided_count,
      opened_at, updated_at)
    select a.asset_id, a.asset_id, a.submission_id, a.workspace_id, s.mode, 'awaiting_review', a.filename, a.content_type,
        a.version_group_id, a.version_number, coalesce(i.critical, 0), coalesce(i.major, 0), coalesce(i.minor, 0),
        coalesce(i.info, 0), coalesce(i.undecided, 0), coalesce(a.completed_at, now()), now()
      from assets a join submissions s using (submission_id)
      left join (
        select asset_id,
          count(*) filter (where severity = 'CRITICAL' and status not in ('RESOLVED', 'DISMISSED')) as critical,
          count(*) filter (where severity = 'MAJOR' and status not in ('RESOLVED', 'DISMISSED')) as major,
          count(*) filter (where severity = 'MINOR' and status not in ('RESOLVED', 'DISMISSED')) as minor,
          count(*) filter (where severity = 'INFO' and status not in ('RESOLVED', 'DISMISSED')) as info,
          count(*) filter (where status in ('OPEN', 'AWAITING_HUMAN_INPUT')) as undecided
        from issues group by asset_id
      ) i on i.asset_id = a.asset_id
      where a.status = 'complete'`,
];
