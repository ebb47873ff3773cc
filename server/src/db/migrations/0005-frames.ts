import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // What the picture looked like where issues are. Issues of one moment share a frame: their positions in the asset.
  `create table asset_frames (
    frame_id uuid primary key,
    asset_id uuid not null references assets on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    seconds double precision,
    page integer,
    jpeg bytea not null,
    issue_positions integer[] not null
  )`,
  // A JPEG does not get smaller: trying costs time on every write.
  `alter table asset_frames alter column jpeg set storage external`,
  `create index asset_frames_by_asset on asset_frames (asset_id)`,
];
