import { sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Indexes that were added to tables which may hold millions of rows by then: built without locking out writers, which
 * cannot be done in a migration, because that is a transaction.
 */
const indexes: Readonly<Record<string, string>> = {
  // Deleting a workspace looks for its rows in every table that refers to it.
  asset_frames_by_workspace: "asset_frames (workspace_id)",
  issue_status_changes_by_workspace: "issue_status_changes (workspace_id)",
  asset_results_by_workspace: "asset_results (workspace_id)",
  deliveries_by_workspace: "deliveries (workspace_id)",
  issues_by_workspace: "issues (workspace_id)",
  media_by_workspace: "media (workspace_id)",
  rejudge_changes_by_workspace: "rejudge_changes (workspace_id)",
  rendering_by_workspace: "rendering (workspace_id)",
  renditions_by_workspace: "renditions (workspace_id)",
  version_groups_by_workspace: "version_groups (workspace_id)",
  assets_waiting_in_order: "assets (workspace_id, asset_id) where status = 'submitted'",
  removals_by_object: "removals (object_key)",
  removals_by_age: "removals (created_at)",
  uploads_to_check: "uploads (check_at) where check_at is not null",
};

/** Builds those that are missing. One that was interrupted is invalid and is built again. */
export async function buildIndexes(connection: Kysely<Tables>): Promise<void> {
  const valid = await validIndexes(connection);
  for (const [name, columns] of Object.entries(indexes)) {
    if (valid.has(name)) continue;
    await sql.raw(`drop index concurrently if exists ${name}`).execute(connection);
    await sql.raw(`create index concurrently ${name} on ${columns}`).execute(connection);
  }
}

export async function hasAllIndexes(db: Kysely<Tables>): Promise<boolean> {
  const valid = await validIndexes(db);
  return Object.keys(indexes).every((name) => valid.has(name));
}

async function validIndexes(db: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and i.indisvalid`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
