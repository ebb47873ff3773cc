import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Credits of an asset: held once it is probed, taken when it completes, given back when it fails.
  `alter table credit_ledger add column asset_id uuid`,

  `create table submissions (
    submission_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    mode text not null check (mode in ('live', 'sandbox')),
    workflow_id text not null,
    status text not null check (status in ('submitted', 'processing', 'complete', 'failed')),
    metadata jsonb,
    sidekick_ids uuid[] not null,
    simulation_delay_seconds integer not null default 0,
    event_number bigint not null default 0,
    created_at timestamptz not null,
    completed_at timestamptz
  )`,
  `create index submissions_by_workspace on submissions (workspace_id, submission_id desc)`,
  `create index submissions_by_status on submissions (workspace_id, status, submission_id desc)`,
  `create index submissions_by_workflow on submissions (workflow_id)`,

  // Counters that outlive the versions they numbered: a number is never used twice.
  `create table version_groups (
    version_group_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    last_version_number integer not null,
    last_reference_number integer not null default 0
  )`,
  `create table issue_references (
    version_group_id uuid not null references version_groups on delete cascade,
    fingerprint text not null,
    reference_number integer not null,
    primary key (version_group_id, fingerprint)
  )`,

  `create table assets (
    asset_id uuid primary key,
    submission_id uuid not null references submissions on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    position integer not null,
    media_id uuid not null references media,
    filename text not null,
    content_type text not null,
    size_bytes bigint not null,
    sha256 text,
    version_group_id uuid not null references version_groups,
    version_number integer not null,
    status text not null check (status in ('submitted', 'processing', 'complete', 'failed')),
    workflow_id text not null,
    progress_percent integer not null default 0,
    issue_count integer,
    error_message text,
    error_type text,
    is_retryable boolean not null default false,
    retry_count integer not null default 0,
    counted_retries integer not null default 0,
    run integer not null default 0,
    crashes integer not null default 0,
    credits_held bigint,
    completed_at timestamptz,
    unique (submission_id, position),
    unique (version_group_id, version_number)
  )`,
  `create index assets_by_media on assets (media_id)`,
  `create index assets_waiting on assets (workspace_id) where status = 'submitted'`,

  `create table asset_results (
    asset_id uuid primary key references assets on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    measurements jsonb not null,
    context jsonb not null
  )`,

  `create table issues (
    issue_id uuid primary key,
    asset_id uuid not null references assets on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    position integer not null,
    reference_number integer not null,
    fingerprint text not null,
    rule_code text not null,
    severity text not null check (severity in ('CRITICAL', 'MAJOR', 'MINOR', 'INFO')),
    status text not null check (status in ('OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED')),
    sidekick_id uuid not null,
    finding jsonb not null,
    reopened boolean not null default false,
    earlier_issue_id uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (asset_id, position)
  )`,
  `create index issues_by_fingerprint on issues (asset_id, fingerprint)`,
  `create table issue_status_changes (
    change_id uuid primary key,
    issue_id uuid not null references issues on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    from_status text not null,
    to_status text not null,
    reason text,
    key_id uuid not null,
    created_at timestamptz not null
  )`,
  `create index issue_status_changes_by_issue on issue_status_changes (issue_id, change_id)`,

  // Answers kept for 24 hours, encrypted: they hold webhook secrets.
  `create table idempotent_answers (
    key_id uuid not null references api_keys on delete cascade,
    idempotency_key text not null,
    request_hash bytea not null,
    status integer not null,
    answer bytea not null,
    created_at timestamptz not null,
    primary key (key_id, idempotency_key)
  )`,
  `create index idempotent_answers_by_age on idempotent_answers (created_at)`,

  `create table webhook_subscriptions (
    subscription_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    url text not null,
    event_types text[] not null,
    description text,
    is_active boolean not null,
    headers jsonb not null default '{}',
    secret bytea not null,
    previous_secret bytea,
    previous_secret_expires_at timestamptz,
    disabled_reason text,
    failing_since timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index webhook_subscriptions_by_workspace on webhook_subscriptions (workspace_id, subscription_id)`,

  // No reference to the submission: what became true stays true when it is deleted.
  `create table events (
    event_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    submission_id uuid not null,
    asset_id uuid not null,
    type text not null,
    body jsonb not null,
    created_at timestamptz not null
  )`,
  `create index events_by_workspace on events (workspace_id, created_at)`,
  `create table deliveries (
    delivery_id uuid primary key,
    event_id uuid not null references events on delete cascade,
    subscription_id uuid not null references webhook_subscriptions on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    status text not null check (status in ('pending', 'succeeded', 'failed', 'exhausted')),
    attempt integer not null default 0,
    response_status_code integer,
    response_body text,
    duration_ms integer,
    error text,
    created_at timestamptz not null,
    last_attempt_at timestamptz,
    next_attempt_at timestamptz
  )`,
  `create index deliveries_by_subscription on deliveries (subscription_id, delivery_id desc)`,
  `create index deliveries_by_event on deliveries (event_id)`,
  `create index deliveries_due on deliveries (next_attempt_at) where next_attempt_at is not null`,

  // What the realtime channel sends, in the order it committed: numbers come from the submission's own row.
  `create table realtime_messages (
    submission_id uuid not null references submissions on delete cascade,
    event_number bigint not null,
    workspace_id text not null references workspaces on delete cascade,
    event text not null,
    data jsonb not null,
    created_at timestamptz not null,
    transaction_id xid8 not null default pg_current_xact_id(),
    is_terminal boolean not null generated always as (
      event in ('asset.completed', 'asset.failed')
      or event = 'submission.status' and coalesce(data->>'status', '') in ('complete', 'failed')
    ) stored,
    primary key (submission_id, event_number)
  )`,
  // Submissions commit in no common order: a workspace's channel resumes by which transactions were seen.
  `create index realtime_messages_terminal
    on realtime_messages (workspace_id, transaction_id, submission_id, event_number) where is_terminal`,
];
