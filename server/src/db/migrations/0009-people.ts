import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table people (
    person_id uuid primary key,
    email text not null unique check (email = lower(email)),
    name text not null,
    -- Null: signs in by single sign-on only.
    password_hash text,
    created_at timestamptz not null,
    disabled_at timestamptz
  )`,
  // Single sign-on knows a person by issuer and subject: an e-mail address may be given to somebody else later.
  `create table person_identities (
    issuer text not null,
    subject text not null,
    person_id uuid not null references people on delete cascade,
    created_at timestamptz not null,
    primary key (issuer, subject)
  )`,
  `create index person_identities_by_person on person_identities (person_id)`,

  `create table memberships (
    person_id uuid not null references people on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    role text not null check (role in ('viewer', 'reviewer', 'approver', 'admin')),
    markets text[],
    created_at timestamptz not null,
    primary key (workspace_id, person_id)
  )`,
  `create index memberships_by_person on memberships (person_id)`,

  `create table sessions (
    session_id uuid primary key,
    person_id uuid not null references people on delete cascade,
    token_hash bytea not null unique,
    -- The token before the last rotation: requests that were under way with it still pass for a moment.
    previous_token_hash bytea,
    previous_valid_until timestamptz,
    must_rotate boolean not null default false,
    workspace_id text references workspaces on delete set null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    user_agent text,
    address text
  )`,
  `create index sessions_by_person on sessions (person_id)`,
  `create index sessions_by_previous_token on sessions (previous_token_hash) where previous_token_hash is not null`,
  `create index sessions_by_workspace on sessions (workspace_id)`,

  // Links that work once: the first admin's setup, invitations and password resets.
  `create table one_time_links (
    link_id uuid primary key,
    kind text not null check (kind in ('setup', 'invitation', 'reset')),
    token_hash bytea not null unique,
    workspace_id text references workspaces on delete cascade,
    person_id uuid references people on delete cascade,
    email text,
    role text,
    markets text[],
    created_by text,
    created_at timestamptz not null,
    expires_at timestamptz,
    used_at timestamptz
  )`,
  `create unique index one_time_links_setup on one_time_links (kind) where kind = 'setup'`,
  `create index one_time_links_by_workspace on one_time_links (workspace_id, link_id)`,
  `create index one_time_links_by_person on one_time_links (person_id)`,

  // A single sign-on under way; its row is taken by the answer, so an answer works once.
  `create table sign_in_attempts (
    state_hash bytea primary key,
    browser_hash bytea not null,
    nonce text not null,
    code_verifier bytea not null,
    expires_at timestamptz not null
  )`,

  // People send Idempotency-Keys too, and they are not in api_keys.
  `alter table idempotent_answers drop constraint idempotent_answers_key_id_fkey`,
];
