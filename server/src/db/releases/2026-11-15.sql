-- pg_dump --inserts of a database that the release 1c8eac6 made, with rows in each of its tables. Never change it.

SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.append_audit(p_workspace text, p_entries jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
  declare
    head_number bigint; head_hash bytea; entry jsonb;
  begin
    insert into audit_heads values (p_workspace, 0, sha256(convert_to(p_workspace, 'UTF8'))) on conflict do nothing;
    select number, hash into strict head_number, head_hash from audit_heads where workspace_id = p_workspace for update;
    for entry in select * from jsonb_array_elements(p_entries) loop
      head_number := head_number + 1;
      head_hash := sha256(head_hash || decode(entry ->> 'contentHash', 'hex'));
      insert into audit_entries values (p_workspace, head_number, (entry ->> 'entryId')::uuid,
        (entry ->> 'createdAt')::timestamptz, entry ->> 'actorKind', entry ->> 'actorId', entry ->> 'actorName',
        entry ->> 'action', entry ->> 'targetKind', entry ->> 'targetId', entry -> 'detail',
        decode(entry ->> 'contentHash', 'hex'), head_hash);
    end loop;
    update audit_heads set number = head_number, hash = head_hash where workspace_id = p_workspace;
    return head_number;
  end $$;

CREATE FUNCTION public.refuse(reason text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$ begin raise exception using errcode = 'GL001', message = reason; end $$;

CREATE FUNCTION public.take_rates(p_keys uuid[], p_buckets text[], p_wanted integer[], p_limits integer[], p_now timestamp with time zone) RETURNS TABLE(granted integer, wait_ms integer)
    LANGUAGE plpgsql
    AS $$
  declare
    now_ms bigint; first_slot bigint; used bigint;
  begin
    for i in 1 .. cardinality(p_keys) loop
      perform pg_advisory_xact_lock(hashtextextended(p_keys[i]::text || p_buckets[i], 7));
      now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
      first_slot := (now_ms - 60000) / 100;

      select coalesce(sum(hits), 0) into used from rate_slots
        where key_id = p_keys[i] and bucket = p_buckets[i] and slot >= first_slot;
      granted := least(p_wanted[i], greatest(p_limits[i] - used, 0));
      wait_ms := 0;

      if granted > 0 then
        insert into rate_slots values (p_keys[i], p_buckets[i], now_ms / 100, granted)
          on conflict (key_id, bucket, slot) do update set hits = rate_slots.hits + excluded.hits;
        if now_ms / 100 % 10 = 0 then
          delete from rate_slots where key_id = p_keys[i] and bucket = p_buckets[i] and slot < first_slot;
        end if;
      end if;

      if granted < p_wanted[i] then
        select (min(slot) + 1) * 100 + 60000 - now_ms into wait_ms from (
          select slot, sum(hits) over (order by slot) as freed from rate_slots
            where key_id = p_keys[i] and bucket = p_buckets[i] and slot >= first_slot
        ) slots where used + granted - freed < p_limits[i];
      end if;
      return next;
    end loop;
  end $$;

CREATE TABLE public.api_keys (
    key_id uuid NOT NULL,
    workspace_id text NOT NULL,
    mode text NOT NULL,
    name text,
    key_hash bytea NOT NULL,
    key_hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT api_keys_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text])))
);

CREATE TABLE public.asset_frames (
    frame_id uuid NOT NULL,
    asset_id uuid NOT NULL,
    workspace_id text NOT NULL,
    seconds double precision,
    page integer,
    jpeg bytea NOT NULL,
    issue_positions integer[] NOT NULL
);
ALTER TABLE ONLY public.asset_frames ALTER COLUMN jpeg SET STORAGE EXTERNAL;

CREATE TABLE public.asset_results (
    asset_id uuid NOT NULL,
    workspace_id text NOT NULL,
    measurements jsonb NOT NULL,
    context jsonb NOT NULL
);

CREATE TABLE public.assets (
    asset_id uuid NOT NULL,
    submission_id uuid NOT NULL,
    workspace_id text NOT NULL,
    "position" integer NOT NULL,
    media_id uuid NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text,
    version_group_id uuid NOT NULL,
    version_number integer NOT NULL,
    status text NOT NULL,
    workflow_id text NOT NULL,
    progress_percent integer DEFAULT 0 NOT NULL,
    issue_count integer,
    error_message text,
    error_type text,
    is_retryable boolean DEFAULT false NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    counted_retries integer DEFAULT 0 NOT NULL,
    run integer DEFAULT 0 NOT NULL,
    crashes integer DEFAULT 0 NOT NULL,
    credits_held bigint,
    completed_at timestamp with time zone,
    CONSTRAINT assets_status_check CHECK ((status = ANY (ARRAY['submitted'::text, 'processing'::text, 'complete'::text, 'failed'::text])))
);

CREATE TABLE public.audit_entries (
    workspace_id text NOT NULL,
    number bigint NOT NULL,
    entry_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor_kind text NOT NULL,
    actor_id text,
    actor_name text,
    action text NOT NULL,
    target_kind text NOT NULL,
    target_id text NOT NULL,
    detail jsonb NOT NULL,
    content_hash bytea NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE public.audit_heads (
    workspace_id text NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.comments (
    comment_id uuid NOT NULL,
    workspace_id text NOT NULL,
    asset_id uuid NOT NULL,
    version_group_id uuid NOT NULL,
    version_number integer NOT NULL,
    thread_id uuid,
    text text NOT NULL,
    anchor jsonb,
    fingerprint text,
    actor_kind text NOT NULL,
    actor_id uuid NOT NULL,
    actor_name text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    resolved_by text,
    deleted_at timestamp with time zone
);

CREATE TABLE public.credit_ledger (
    entry_id uuid NOT NULL,
    workspace_id text NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    asset_id uuid
);

CREATE TABLE public.deliveries (
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    workspace_id text NOT NULL,
    status text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    response_status_code integer,
    response_body text,
    duration_ms integer,
    error text,
    created_at timestamp with time zone NOT NULL,
    last_attempt_at timestamp with time zone,
    next_attempt_at timestamp with time zone,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    schedule_start integer DEFAULT 0 NOT NULL,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'exhausted'::text])))
);

CREATE TABLE public.deployment (
    name text NOT NULL,
    value text NOT NULL
);

CREATE TABLE public.events (
    event_id uuid NOT NULL,
    workspace_id text NOT NULL,
    submission_id uuid NOT NULL,
    asset_id uuid NOT NULL,
    type text NOT NULL,
    body json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    test_subscription_id uuid
);

CREATE TABLE public.idempotent_answers (
    key_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    request_hash bytea NOT NULL,
    status integer NOT NULL,
    answer bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.issue_references (
    version_group_id uuid NOT NULL,
    fingerprint text NOT NULL,
    reference_number integer NOT NULL
);

CREATE TABLE public.issue_status_changes (
    change_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    workspace_id text NOT NULL,
    from_status text NOT NULL,
    to_status text NOT NULL,
    reason text,
    key_id uuid,
    created_at timestamp with time zone NOT NULL,
    person_id uuid,
    reason_code text,
    proposed_status text
);

CREATE TABLE public.issues (
    issue_id uuid NOT NULL,
    asset_id uuid NOT NULL,
    workspace_id text NOT NULL,
    "position" integer NOT NULL,
    reference_number integer NOT NULL,
    fingerprint text NOT NULL,
    rule_code text NOT NULL,
    severity text NOT NULL,
    status text NOT NULL,
    sidekick_id uuid NOT NULL,
    finding jsonb NOT NULL,
    reopened boolean DEFAULT false NOT NULL,
    earlier_issue_id uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT issues_severity_check CHECK ((severity = ANY (ARRAY['CRITICAL'::text, 'MAJOR'::text, 'MINOR'::text, 'INFO'::text]))),
    CONSTRAINT issues_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'ACKNOWLEDGED'::text, 'AWAITING_HUMAN_INPUT'::text, 'RESOLVED'::text, 'DISMISSED'::text])))
);

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.media (
    media_id uuid NOT NULL,
    workspace_id text NOT NULL,
    upload_id uuid NOT NULL,
    source_etag text NOT NULL,
    reference text NOT NULL,
    etag text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone
);

CREATE TABLE public.memberships (
    person_id uuid NOT NULL,
    workspace_id text NOT NULL,
    role text NOT NULL,
    markets text[],
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'reviewer'::text, 'approver'::text, 'admin'::text])))
);

CREATE TABLE public.one_time_links (
    link_id uuid NOT NULL,
    kind text NOT NULL,
    token_hash bytea NOT NULL,
    workspace_id text,
    person_id uuid,
    email text,
    role text,
    markets text[],
    created_by text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    used_at timestamp with time zone,
    CONSTRAINT one_time_links_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'invitation'::text, 'reset'::text])))
);

CREATE TABLE public.people (
    person_id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    CONSTRAINT people_email_check CHECK ((email = lower(email)))
);

CREATE TABLE public.person_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    person_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE UNLOGGED TABLE public.rate_slots (
    key_id uuid NOT NULL,
    bucket text NOT NULL,
    slot bigint NOT NULL,
    hits integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.realtime_messages (
    submission_id uuid NOT NULL,
    event_number bigint NOT NULL,
    workspace_id text NOT NULL,
    event text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    is_terminal boolean GENERATED ALWAYS AS (((event = ANY (ARRAY['asset.completed'::text, 'asset.failed'::text])) OR ((event = 'submission.status'::text) AND (COALESCE((data ->> 'status'::text), ''::text) = ANY (ARRAY['complete'::text, 'failed'::text]))))) STORED NOT NULL
);

CREATE TABLE public.removals (
    removal_id uuid NOT NULL,
    kind text NOT NULL,
    object_key text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT removals_kind_check CHECK ((kind = ANY (ARRAY['object'::text, 'upload'::text])))
);

CREATE TABLE public.review_decisions (
    decision_id uuid NOT NULL,
    review_id uuid NOT NULL,
    workspace_id text NOT NULL,
    decision text NOT NULL,
    reason text,
    conditions text[] DEFAULT '{}'::text[] NOT NULL,
    markets text[] DEFAULT '{}'::text[] NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid NOT NULL,
    actor_name text,
    created_at timestamp with time zone NOT NULL,
    superseded_by uuid
);

CREATE TABLE public.reviews (
    review_id uuid NOT NULL,
    asset_id uuid NOT NULL,
    submission_id uuid NOT NULL,
    workspace_id text NOT NULL,
    mode text NOT NULL,
    state text NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    version_group_id uuid NOT NULL,
    version_number integer NOT NULL,
    markets text[] DEFAULT '{}'::text[] NOT NULL,
    critical_count integer DEFAULT 0 NOT NULL,
    major_count integer DEFAULT 0 NOT NULL,
    minor_count integer DEFAULT 0 NOT NULL,
    info_count integer DEFAULT 0 NOT NULL,
    undecided_count integer DEFAULT 0 NOT NULL,
    severity text GENERATED ALWAYS AS (
CASE
    WHEN (critical_count > 0) THEN 'CRITICAL'::text
    WHEN (major_count > 0) THEN 'MAJOR'::text
    WHEN (minor_count > 0) THEN 'MINOR'::text
    WHEN (info_count > 0) THEN 'INFO'::text
    ELSE 'NONE'::text
END) STORED,
    uploader_kind text,
    uploader_id uuid,
    assignee_id uuid,
    due_at timestamp with time zone,
    claimed_by uuid,
    claimed_until timestamp with time zone,
    opened_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT reviews_state_check CHECK ((state = ANY (ARRAY['awaiting_review'::text, 'in_review'::text, 'changes_requested'::text, 'approved'::text, 'approved_with_conditions'::text, 'rejected'::text, 'escalated'::text, 'withdrawn'::text])))
);

CREATE TABLE public.sessions (
    session_id uuid NOT NULL,
    person_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    previous_token_hash bytea,
    previous_valid_until timestamp with time zone,
    must_rotate boolean DEFAULT false NOT NULL,
    workspace_id text,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    user_agent text,
    address text
);

CREATE TABLE public.sign_in_attempts (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    nonce text NOT NULL,
    code_verifier bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.submissions (
    submission_id uuid NOT NULL,
    workspace_id text NOT NULL,
    mode text NOT NULL,
    workflow_id text NOT NULL,
    status text NOT NULL,
    metadata jsonb,
    sidekick_ids uuid[] NOT NULL,
    simulation_delay_seconds integer DEFAULT 0 NOT NULL,
    event_number bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    actor_kind text,
    actor_id uuid,
    CONSTRAINT submissions_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT submissions_status_check CHECK ((status = ANY (ARRAY['submitted'::text, 'processing'::text, 'complete'::text, 'failed'::text])))
);

CREATE TABLE public.uploads (
    upload_id uuid NOT NULL,
    workspace_id text NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    object_key text NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    url_expires_at timestamp with time zone
);

CREATE TABLE public.version_groups (
    version_group_id uuid NOT NULL,
    workspace_id text NOT NULL,
    last_version_number integer NOT NULL,
    last_reference_number integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.webhook_subscriptions (
    subscription_id uuid NOT NULL,
    workspace_id text NOT NULL,
    url text NOT NULL,
    event_types text[] NOT NULL,
    description text,
    is_active boolean NOT NULL,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_expires_at timestamp with time zone,
    disabled_reason text,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.workspaces (
    workspace_id text NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    credit_balance bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    default_sidekick_ids uuid[],
    default_context jsonb,
    review_rules jsonb,
    CONSTRAINT workspaces_credit_balance_check CHECK ((credit_balance >= 0))
);

INSERT INTO public.api_keys VALUES ('01930000-0000-7000-8000-000000000001', 'ws_one', 'live', 'pipeline', '\x01', 'gl_live_…ab', '2026-11-15 08:02:00+00', '2027-11-15 00:00:00+00', NULL, '2026-11-15 21:00:00+00');
INSERT INTO public.api_keys VALUES ('01930000-0000-7000-8000-000000000002', 'ws_two', 'sandbox', NULL, '\x02', 'gl_test_…cd', '2026-11-15 08:03:00+00', NULL, '2026-11-15 09:00:00+00', NULL);

INSERT INTO public.asset_frames VALUES ('01930000-0000-7000-8000-000000000063', '01930000-0000-7000-8000-000000000061', 'ws_one', 1.5, NULL, '\xffd8ffd9', '{0,1}');

INSERT INTO public.asset_results VALUES ('01930000-0000-7000-8000-000000000061', 'ws_one', '{"loudness": {"integratedLufs": -23.1}}', '{"markets": ["GB"]}');

INSERT INTO public.assets VALUES ('01930000-0000-7000-8000-000000000061', '01930000-0000-7000-8000-000000000041', 'ws_one', 0, '01930000-0000-7000-8000-000000000031', 'summer spot-2.mp4', 'video/mp4', 123456, 'ab12', '01930000-0000-7000-8000-000000000051', 1, 'complete', 'wf-1', 100, 2, NULL, NULL, false, 0, 0, 1, 0, 30, '2026-11-15 08:20:00+00');
INSERT INTO public.assets VALUES ('01930000-0000-7000-8000-000000000062', '01930000-0000-7000-8000-000000000042', 'ws_two', 0, '01930000-0000-7000-8000-000000000032', 'note.txt', 'text/plain', 12, NULL, '01930000-0000-7000-8000-000000000052', 1, 'failed', 'wf-2', 10, NULL, 'The file is damaged.', 'corrupt_media', true, 1, 1, 2, 1, NULL, '2026-11-15 08:16:00+00');

INSERT INTO public.audit_entries VALUES ('ws_one', 1, '01930000-0000-7000-8000-0000000000a1', '2026-11-15 08:14:00+00', 'key', '01930000-0000-7000-8000-000000000001', NULL, 'submission.created', 'submission', '01930000-0000-7000-8000-000000000041', '{"assets": 1}', '\xaa01', '\xf8dfecc3cd4f0a5bc4c43171f0b83f9327163f1761bc29db3e8b4a85d6c4f33b');
INSERT INTO public.audit_entries VALUES ('ws_one', 2, '01930000-0000-7000-8000-0000000000a2', '2026-11-15 08:45:00+00', 'person', '01930000-0000-7000-8000-000000000081', 'First', 'review.decided', 'review', '01930000-0000-7000-8000-000000000061', '{}', '\xaa02', '\xf37ab94a224049e0d252ee235220ea01c73c173e60dbae60893ea6e731481504');

INSERT INTO public.audit_heads VALUES ('ws_one', 2, '\xf37ab94a224049e0d252ee235220ea01c73c173e60dbae60893ea6e731481504');

INSERT INTO public.comments VALUES ('01930000-0000-7000-8000-000000000065', 'ws_one', '01930000-0000-7000-8000-000000000061', '01930000-0000-7000-8000-000000000051', 1, NULL, 'Here.', '{"seconds": 1.5}', 'f1', 'person', '01930000-0000-7000-8000-000000000081', 'First', '2026-11-15 08:42:00+00', '2026-11-15 08:42:00+00', NULL, NULL, NULL);
INSERT INTO public.comments VALUES ('01930000-0000-7000-8000-000000000066', 'ws_one', '01930000-0000-7000-8000-000000000061', '01930000-0000-7000-8000-000000000051', 1, '01930000-0000-7000-8000-000000000065', 'Seen.', NULL, NULL, 'key', '01930000-0000-7000-8000-000000000001', NULL, '2026-11-15 08:43:00+00', '2026-11-15 08:44:00+00', '2026-11-15 08:44:00+00', 'First', '2026-11-15 08:46:00+00');

INSERT INTO public.credit_ledger VALUES ('01930000-0000-7000-8000-000000000011', 'ws_one', 'grant', 1000, '2026-11-15 08:04:00+00', NULL);
INSERT INTO public.credit_ledger VALUES ('01930000-0000-7000-8000-000000000012', 'ws_one', 'take', -30, '2026-11-15 08:20:00+00', '01930000-0000-7000-8000-000000000061');

INSERT INTO public.deliveries VALUES ('01930000-0000-7000-8000-000000000093', '01930000-0000-7000-8000-000000000092', '01930000-0000-7000-8000-000000000091', 'ws_one', 'failed', 1, 500, 'no', 12, NULL, '2026-11-15 08:20:00+00', '2026-11-15 08:21:00+00', '2026-11-15 08:26:00+00', '[{"status": 500}]', 0);

INSERT INTO public.deployment VALUES ('secret-key', 'fingerprint');

INSERT INTO public.events VALUES ('01930000-0000-7000-8000-000000000092', 'ws_one', '01930000-0000-7000-8000-000000000041', '01930000-0000-7000-8000-000000000061', 'asset.processing.completed', '{"data": {"issues":2},  "a": 1}', '2026-11-15 08:20:00+00', NULL);

INSERT INTO public.idempotent_answers VALUES ('01930000-0000-7000-8000-000000000001', 'once', '\x0a', 201, '\x0b0c', '2026-11-15 08:14:00+00');

INSERT INTO public.issue_references VALUES ('01930000-0000-7000-8000-000000000051', 'f1', 1);
INSERT INTO public.issue_references VALUES ('01930000-0000-7000-8000-000000000051', 'f2', 2);

INSERT INTO public.issue_status_changes VALUES ('01930000-0000-7000-8000-000000000073', '01930000-0000-7000-8000-000000000072', 'ws_one', 'OPEN', 'OPEN', 'one flash', NULL, '2026-11-15 08:29:00+00', '01930000-0000-7000-8000-000000000081', 'false_positive', 'DISMISSED');
INSERT INTO public.issue_status_changes VALUES ('01930000-0000-7000-8000-000000000074', '01930000-0000-7000-8000-000000000072', 'ws_one', 'OPEN', 'DISMISSED', NULL, '01930000-0000-7000-8000-000000000001', '2026-11-15 08:30:00+00', NULL, NULL, NULL);

INSERT INTO public.issues VALUES ('01930000-0000-7000-8000-000000000071', '01930000-0000-7000-8000-000000000061', 'ws_one', 0, 1, 'f1', 'UK-ALC-HEALTH', 'CRITICAL', 'OPEN', '0e1b7c1a-0000-4000-8000-000000000001', '{"title": "A health claim"}', false, NULL, '2026-11-15 08:20:00+00', '2026-11-15 08:20:00+00');
INSERT INTO public.issues VALUES ('01930000-0000-7000-8000-000000000072', '01930000-0000-7000-8000-000000000061', 'ws_one', 1, 2, 'f2', 'XX-FLASH', 'MAJOR', 'DISMISSED', '0e1b7c1a-0000-4000-8000-000000000001', '{"title": "Flashes"}', true, '01930000-0000-7000-8000-000000000071', '2026-11-15 08:20:00+00', '2026-11-15 08:30:00+00');

INSERT INTO public.kysely_migration VALUES ('0001-ground', '2026-11-16T21:57:31.151Z');
INSERT INTO public.kysely_migration VALUES ('0002-uploads', '2026-11-16T21:57:31.257Z');
INSERT INTO public.kysely_migration VALUES ('0003-submissions', '2026-11-16T21:57:31.613Z');
INSERT INTO public.kysely_migration VALUES ('0004-webhooks', '2026-11-16T21:57:31.653Z');
INSERT INTO public.kysely_migration VALUES ('0005-frames', '2026-11-16T21:57:31.698Z');
INSERT INTO public.kysely_migration VALUES ('0006-workspace-defaults', '2026-11-16T21:57:31.701Z');
INSERT INTO public.kysely_migration VALUES ('0007-retention', '2026-11-16T21:57:31.712Z');
INSERT INTO public.kysely_migration VALUES ('0008-refuse', '2026-11-16T21:57:31.713Z');
INSERT INTO public.kysely_migration VALUES ('0009-people', '2026-11-16T21:57:31.895Z');
INSERT INTO public.kysely_migration VALUES ('0010-reviews', '2026-11-16T21:57:32.047Z');
INSERT INTO public.kysely_migration VALUES ('0011-audit', '2026-11-16T21:57:32.095Z');
INSERT INTO public.kysely_migration VALUES ('0012-removals', '2026-11-16T21:57:32.119Z');

INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);

INSERT INTO public.media VALUES ('01930000-0000-7000-8000-000000000031', 'ws_one', '01930000-0000-7000-8000-000000000021', 'e1', 'ws_one/media/31', 'e2', 123456, 'ab12', '2026-11-15 08:12:00+00', NULL);
INSERT INTO public.media VALUES ('01930000-0000-7000-8000-000000000032', 'ws_two', '01930000-0000-7000-8000-000000000022', 'e3', 'ws_two/media/32', 'e4', 12, NULL, '2026-11-15 08:13:00+00', '2026-11-15 20:00:00+00');

INSERT INTO public.memberships VALUES ('01930000-0000-7000-8000-000000000081', 'ws_one', 'admin', NULL, '2026-11-15 08:05:00+00');
INSERT INTO public.memberships VALUES ('01930000-0000-7000-8000-000000000082', 'ws_one', 'reviewer', '{GB,IE}', '2026-11-15 08:06:00+00');

INSERT INTO public.one_time_links VALUES ('01930000-0000-7000-8000-000000000084', 'invitation', '\x11', 'ws_one', NULL, 'third@example.com', 'viewer', '{GB}', 'First', '2026-11-15 08:50:00+00', '2026-11-22 08:50:00+00', NULL);

INSERT INTO public.people VALUES ('01930000-0000-7000-8000-000000000081', 'first@example.com', 'First', 'scrypt$x', '2026-11-15 08:05:00+00', NULL);
INSERT INTO public.people VALUES ('01930000-0000-7000-8000-000000000082', 'second@example.com', 'Second', NULL, '2026-11-15 08:06:00+00', '2026-11-15 20:00:00+00');

INSERT INTO public.person_identities VALUES ('https://id.example.com', 'subject-2', '01930000-0000-7000-8000-000000000082', '2026-11-15 08:06:00+00');

INSERT INTO public.rate_slots VALUES ('01930000-0000-7000-8000-000000000001', 'submission_write', 17633000000, 3);

INSERT INTO public.realtime_messages VALUES ('01930000-0000-7000-8000-000000000041', 3, 'ws_one', 'asset.progress', '{"percent": 50}', '2026-11-15 08:19:00+00', '701', DEFAULT);
INSERT INTO public.realtime_messages VALUES ('01930000-0000-7000-8000-000000000041', 4, 'ws_one', 'asset.completed', '{"issues": 2}', '2026-11-15 08:20:00+00', '702', DEFAULT);

INSERT INTO public.removals VALUES ('01930000-0000-7000-8000-0000000000b1', 'object', 'ws_two/media/32', '2026-11-15 20:00:00+00');

INSERT INTO public.review_decisions VALUES ('01930000-0000-7000-8000-000000000064', '01930000-0000-7000-8000-000000000061', 'ws_one', 'changes_requested', 'Take the claim out.', '{}', '{GB}', 'person', '01930000-0000-7000-8000-000000000081', 'First', '2026-11-15 08:45:00+00', NULL);

INSERT INTO public.reviews VALUES ('01930000-0000-7000-8000-000000000061', '01930000-0000-7000-8000-000000000061', '01930000-0000-7000-8000-000000000041', 'ws_one', 'live', 'changes_requested', 'summer spot-2.mp4', 'video/mp4', '01930000-0000-7000-8000-000000000051', 1, '{GB}', 1, 1, 0, 0, 1, DEFAULT, 'key', '01930000-0000-7000-8000-000000000001', '01930000-0000-7000-8000-000000000081', '2026-11-20 00:00:00+00', '01930000-0000-7000-8000-000000000081', '2026-11-15 09:00:00+00', '2026-11-15 08:20:00+00', '2026-11-15 08:45:00+00', '2026-11-15 08:45:00+00');

INSERT INTO public.sessions VALUES ('01930000-0000-7000-8000-000000000083', '01930000-0000-7000-8000-000000000081', '\x0f', '\x10', '2026-11-15 08:41:00+00', true, 'ws_one', '2026-11-15 08:40:00+00', '2026-11-15 21:00:00+00', '2026-11-29 08:40:00+00', 'Browser', '192.0.2.1');

INSERT INTO public.sign_in_attempts VALUES ('\x12', '\x13', 'nonce', '\x14', '2026-11-15 21:10:00+00');

INSERT INTO public.submissions VALUES ('01930000-0000-7000-8000-000000000041', 'ws_one', 'live', 'wf-1', 'complete', '{"campaign": "summer"}', '{0e1b7c1a-0000-4000-8000-000000000001}', 0, 4, '2026-11-15 08:14:00+00', '2026-11-15 08:20:00+00', 'key', '01930000-0000-7000-8000-000000000001');
INSERT INTO public.submissions VALUES ('01930000-0000-7000-8000-000000000042', 'ws_two', 'sandbox', 'wf-2', 'failed', NULL, '{}', 2, 1, '2026-11-15 08:15:00+00', '2026-11-15 08:16:00+00', NULL, NULL);

INSERT INTO public.uploads VALUES ('01930000-0000-7000-8000-000000000021', 'ws_one', 'summer spot-2.mp4', 'video/mp4', 'ws_one/uploads/21', '2026-11-15 08:10:00+00', '2026-11-15 09:10:00+00');
INSERT INTO public.uploads VALUES ('01930000-0000-7000-8000-000000000022', 'ws_two', 'note.txt', 'text/plain', 'ws_two/uploads/22', '2026-11-15 08:11:00+00', NULL);

INSERT INTO public.version_groups VALUES ('01930000-0000-7000-8000-000000000051', 'ws_one', 1, 2);
INSERT INTO public.version_groups VALUES ('01930000-0000-7000-8000-000000000052', 'ws_two', 1, 0);

INSERT INTO public.webhook_subscriptions VALUES ('01930000-0000-7000-8000-000000000091', 'ws_one', 'https://hooks.example.com/in', '{asset.processing.completed}', 'pipeline', true, '{"x-team": "ads"}', '\x0d', '\x0e', '2026-11-16 00:00:00+00', NULL, NULL, '2026-11-15 08:07:00+00', '2026-11-15 08:08:00+00');

INSERT INTO public.workspaces VALUES ('ws_one', 'one', 'starter', 970, '2026-11-15 08:00:00+00', '{0e1b7c1a-0000-4000-8000-000000000001}', '{"markets": ["GB"]}', '{"secondPerson": true}');
INSERT INTO public.workspaces VALUES ('ws_two', 'two', 'local', NULL, '2026-11-15 08:01:00+00', NULL, NULL, NULL);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.asset_frames
    ADD CONSTRAINT asset_frames_pkey PRIMARY KEY (frame_id);

ALTER TABLE ONLY public.asset_results
    ADD CONSTRAINT asset_results_pkey PRIMARY KEY (asset_id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (asset_id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_submission_id_position_key UNIQUE (submission_id, "position");

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_version_group_id_version_number_key UNIQUE (version_group_id, version_number);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (workspace_id, number);

ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (workspace_id);

ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_pkey PRIMARY KEY (comment_id);

ALTER TABLE ONLY public.credit_ledger
    ADD CONSTRAINT credit_ledger_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY public.idempotent_answers
    ADD CONSTRAINT idempotent_answers_pkey PRIMARY KEY (key_id, idempotency_key);

ALTER TABLE ONLY public.issue_references
    ADD CONSTRAINT issue_references_pkey PRIMARY KEY (version_group_id, fingerprint);

ALTER TABLE ONLY public.issue_status_changes
    ADD CONSTRAINT issue_status_changes_pkey PRIMARY KEY (change_id);

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_asset_id_position_key UNIQUE (asset_id, "position");

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_pkey PRIMARY KEY (issue_id);

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (media_id);

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_upload_id_source_etag_key UNIQUE (upload_id, source_etag);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (workspace_id, person_id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (link_id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_email_key UNIQUE (email);

ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (person_id);

ALTER TABLE ONLY public.person_identities
    ADD CONSTRAINT person_identities_pkey PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY public.rate_slots
    ADD CONSTRAINT rate_slots_pkey PRIMARY KEY (key_id, bucket, slot);

ALTER TABLE ONLY public.realtime_messages
    ADD CONSTRAINT realtime_messages_pkey PRIMARY KEY (submission_id, event_number);

ALTER TABLE ONLY public.removals
    ADD CONSTRAINT removals_pkey PRIMARY KEY (removal_id);

ALTER TABLE ONLY public.review_decisions
    ADD CONSTRAINT review_decisions_pkey PRIMARY KEY (decision_id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_asset_id_key UNIQUE (asset_id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (review_id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (state_hash);

ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (submission_id);

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_object_key_key UNIQUE (object_key);

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (upload_id);

ALTER TABLE ONLY public.version_groups
    ADD CONSTRAINT version_groups_pkey PRIMARY KEY (version_group_id);

ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (subscription_id);

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_name_key UNIQUE (name);

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id);

CREATE INDEX api_keys_by_workspace ON public.api_keys USING btree (workspace_id);

CREATE INDEX asset_frames_by_asset ON public.asset_frames USING btree (asset_id);

CREATE INDEX asset_frames_by_workspace ON public.asset_frames USING btree (workspace_id);

CREATE INDEX assets_by_media ON public.assets USING btree (media_id);

CREATE INDEX assets_waiting ON public.assets USING btree (workspace_id) WHERE (status = 'submitted'::text);

CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (workspace_id, actor_id, number);

CREATE INDEX audit_entries_by_target ON public.audit_entries USING btree (workspace_id, target_id, number);

CREATE INDEX comments_by_asset ON public.comments USING btree (asset_id);

CREATE INDEX comments_by_group ON public.comments USING btree (workspace_id, version_group_id, comment_id);

CREATE INDEX comments_by_thread ON public.comments USING btree (thread_id);

CREATE INDEX credit_ledger_by_workspace ON public.credit_ledger USING btree (workspace_id, entry_id);

CREATE INDEX deliveries_by_event ON public.deliveries USING btree (event_id);

CREATE INDEX deliveries_by_subscription ON public.deliveries USING btree (subscription_id, delivery_id DESC);

CREATE INDEX deliveries_unsuccessful ON public.deliveries USING btree (subscription_id, delivery_id DESC) WHERE (status = ANY (ARRAY['failed'::text, 'exhausted'::text]));

CREATE INDEX deliveries_waiting ON public.deliveries USING btree (subscription_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX events_by_workspace ON public.events USING btree (workspace_id, created_at);

CREATE INDEX idempotent_answers_by_age ON public.idempotent_answers USING btree (created_at);

CREATE INDEX issue_status_changes_by_issue ON public.issue_status_changes USING btree (issue_id, change_id);

CREATE INDEX issue_status_changes_by_workspace ON public.issue_status_changes USING btree (workspace_id);

CREATE INDEX issues_by_fingerprint ON public.issues USING btree (asset_id, fingerprint);

CREATE INDEX media_present ON public.media USING btree (media_id) WHERE (removed_at IS NULL);

CREATE INDEX memberships_by_person ON public.memberships USING btree (person_id);

CREATE INDEX one_time_links_by_person ON public.one_time_links USING btree (person_id);

CREATE INDEX one_time_links_by_workspace ON public.one_time_links USING btree (workspace_id, link_id);

CREATE UNIQUE INDEX one_time_links_setup ON public.one_time_links USING btree (kind) WHERE (kind = 'setup'::text);

CREATE INDEX person_identities_by_person ON public.person_identities USING btree (person_id);

CREATE INDEX realtime_messages_by_age ON public.realtime_messages USING brin (created_at);

CREATE INDEX realtime_messages_terminal ON public.realtime_messages USING btree (workspace_id, transaction_id, submission_id, event_number) WHERE is_terminal;

CREATE INDEX removals_by_age ON public.removals USING btree (created_at);

CREATE INDEX review_decisions_by_review ON public.review_decisions USING btree (review_id, decision_id);

CREATE INDEX review_decisions_by_workspace ON public.review_decisions USING btree (workspace_id);

CREATE INDEX reviews_by_assignee ON public.reviews USING btree (workspace_id, mode, assignee_id, state, review_id) WHERE (assignee_id IS NOT NULL);

CREATE INDEX reviews_by_group ON public.reviews USING btree (version_group_id, version_number);

CREATE INDEX reviews_by_market ON public.reviews USING gin (markets);

CREATE INDEX reviews_by_severity ON public.reviews USING btree (workspace_id, mode, severity, state, review_id);

CREATE INDEX reviews_by_state ON public.reviews USING btree (workspace_id, mode, state, review_id);

CREATE INDEX reviews_by_words ON public.reviews USING gin (to_tsvector('simple'::regconfig, filename));

CREATE INDEX reviews_newest ON public.reviews USING btree (workspace_id, mode, review_id);

CREATE INDEX reviews_of_assignee ON public.reviews USING btree (assignee_id) WHERE (assignee_id IS NOT NULL);

CREATE INDEX reviews_unassigned ON public.reviews USING btree (workspace_id, mode, state, review_id) WHERE (assignee_id IS NULL);

CREATE INDEX sessions_by_person ON public.sessions USING btree (person_id);

CREATE INDEX sessions_by_previous_token ON public.sessions USING btree (previous_token_hash) WHERE (previous_token_hash IS NOT NULL);

CREATE INDEX sessions_by_workspace ON public.sessions USING btree (workspace_id);

CREATE INDEX submissions_by_status ON public.submissions USING btree (workspace_id, status, submission_id DESC);

CREATE INDEX submissions_by_workflow ON public.submissions USING btree (workflow_id);

CREATE INDEX submissions_by_workspace ON public.submissions USING btree (workspace_id, submission_id DESC);

CREATE INDEX uploads_by_age ON public.uploads USING btree (issued_at);

CREATE INDEX uploads_by_filename ON public.uploads USING btree (workspace_id, filename, upload_id DESC);

CREATE INDEX webhook_subscriptions_by_workspace ON public.webhook_subscriptions USING btree (workspace_id, subscription_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.asset_frames
    ADD CONSTRAINT asset_frames_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.assets(asset_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.asset_frames
    ADD CONSTRAINT asset_frames_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.asset_results
    ADD CONSTRAINT asset_results_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.assets(asset_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.asset_results
    ADD CONSTRAINT asset_results_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(media_id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(submission_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_version_group_id_fkey FOREIGN KEY (version_group_id) REFERENCES public.version_groups(version_group_id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.assets(asset_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.comments(comment_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.credit_ledger
    ADD CONSTRAINT credit_ledger_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(event_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.webhook_subscriptions(subscription_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issue_references
    ADD CONSTRAINT issue_references_version_group_id_fkey FOREIGN KEY (version_group_id) REFERENCES public.version_groups(version_group_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issue_status_changes
    ADD CONSTRAINT issue_status_changes_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES public.issues(issue_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issue_status_changes
    ADD CONSTRAINT issue_status_changes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.assets(asset_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.uploads(upload_id);

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.people(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.people(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.person_identities
    ADD CONSTRAINT person_identities_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.people(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.realtime_messages
    ADD CONSTRAINT realtime_messages_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(submission_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.realtime_messages
    ADD CONSTRAINT realtime_messages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.review_decisions
    ADD CONSTRAINT review_decisions_review_id_fkey FOREIGN KEY (review_id) REFERENCES public.reviews(review_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.review_decisions
    ADD CONSTRAINT review_decisions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.assets(asset_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES public.people(person_id) ON DELETE SET NULL;

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.people(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE SET NULL;

ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.version_groups
    ADD CONSTRAINT version_groups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;

