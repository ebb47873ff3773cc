import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table workspaces add column second_reader text not null default 'off'
    check (second_reader in ('off', 'text', 'media'))`,
  `create table second_readings (
    reading_id uuid primary key,
    workspace_id text not null references workspaces on delete cascade,
    asset_id uuid not null references assets on delete cascade,
    model text not null,
    prompt_version text not null,
    outcome text not null check (outcome in ('used', 'refused', 'unavailable', 'over_budget')),
    detail text,
    request text not null,
    image_count integer not null,
    answer text,
    tokens integer not null,
    duration_ms integer not null,
    created_at timestamptz not null
  )`,
  `create index second_readings_of_asset on second_readings (asset_id, reading_id)`,
  `create index second_readings_of_workspace on second_readings (workspace_id)`,
  // Apart from the readings, which go with their assets: deleting a submission must not give tokens back.
  `create table second_reader_usage (
    workspace_id text not null references workspaces on delete cascade,
    day date not null,
    tokens bigint not null,
    primary key (workspace_id, day)
  )`,
];
