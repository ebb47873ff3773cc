import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Only while a long film is analysed. `step`: what the engine is asked for; `worker`: who took it last,
  // `due_at`: until when it is that one's.
  `create table film_parts (
    asset_id uuid not null references assets on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    part_index integer not null,
    step jsonb not null,
    state text not null check (state in ('waiting', 'working', 'done')),
    run integer not null default 0,
    worker text,
    failures integer not null default 0,
    progress_percent integer not null default 0,
    due_at timestamptz not null,
    object_key text,
    etag text,
    primary key (asset_id, part_index)
  )`,
  `create index film_parts_by_workspace on film_parts (workspace_id)`,
  `create index film_parts_to_do on film_parts (due_at) where state <> 'done'`,
];
