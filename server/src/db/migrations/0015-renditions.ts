import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The queue of what browsers need to show an asset. `due_at`: a waiting one may begin then, a working one is given up then.
  `create table rendering (
    asset_id uuid primary key references assets on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    state text not null check (state in ('waiting', 'working', 'ready', 'failed')),
    run integer not null default 0,
    due_at timestamptz not null default now(),
    progress_percent integer not null default 0,
    source text check (source in ('original', 'rendition', 'none')),
    duration_seconds double precision,
    page_count integer,
    error_message text
  )`,
  `create index rendering_due on rendering (due_at) where state in ('waiting', 'working')`,
  `create table renditions (
    asset_id uuid not null references assets on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    kind text not null check (kind in ('media', 'poster', 'filmstrip', 'waveform', 'page')),
    number integer not null,
    object_key text not null,
    etag text not null,
    content_type text not null,
    size_bytes bigint not null,
    detail jsonb not null,
    primary key (asset_id, kind, number)
  )`,
];
