import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { cancelChannel } from "../submissions/delete-submission.ts";
import { findWorkspace } from "./manage-workspaces.ts";

export type DeletedWorkspace = { workspaceId: string; name: string; submissions: number; objects: number };

/**
 * Deletes a workspace with everything it owns, at once: running work is cancelled, keys and sessions end, and its bytes
 * go within minutes, by the housekeeping of the service. `isTrial` only counts.
 */
export async function deleteWorkspace(
  db: Kysely<Tables>,
  options: { workspace: string; now: Date; isTrial?: boolean },
): Promise<DeletedWorkspace> {
  const { now } = options;
  const { workspaceId, name } = await findWorkspace(db, options.workspace);
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    // Every row of the workspace names this one, so a request that would add another waits, and is then refused.
    await sql`select from workspaces where workspace_id = ${workspaceId} for update`.execute(trx);
    const counted = await trx
      .selectFrom("submissions")
      .select(({ fn }) => fn.countAll<string>().as("submissions"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    const objects = await removeRows(trx, { workspaceId, now, isTrial: options.isTrial ?? false });
    return { workspaceId, name, submissions: Number(counted.submissions), objects };
  });
}

async function removeRows(
  trx: Kysely<Tables>,
  { workspaceId, now, isTrial }: { workspaceId: string; now: Date; isTrial: boolean },
): Promise<number> {
  const owned = sql`
    select 'upload' as kind, object_key, ${now}::timestamptz as due from uploads where workspace_id = ${workspaceId}
    union all select 'object', reference, ${now} from media where workspace_id = ${workspaceId} and removed_at is null
    union all select 'object', object_key, ${now} from renditions where workspace_id = ${workspaceId}
    union all select 'object', evidence_key, ${now} from asset_results
      where workspace_id = ${workspaceId} and evidence_key is not null
    union all select 'object', print_key, ${now} from asset_results
      where workspace_id = ${workspaceId} and print_key is not null
    union all select 'object', object_key, ${now} from film_parts
      where workspace_id = ${workspaceId} and object_key is not null`;
  const { rows } = await sql<{ objects: string }>`select count(*) as objects from (${owned}) owned`.execute(trx);
  const objects = Number(rows[0]?.objects ?? 0);
  if (isTrial) return objects;

  // An address that was issued takes bytes until it expires: what comes in later goes then.
  await sql`
    insert into removals (removal_id, kind, object_key, created_at)
      select gen_random_uuid(), kind, object_key, due from (${owned}
        union all select 'upload', object_key, url_expires_at from uploads
          where workspace_id = ${workspaceId} and url_expires_at > ${now}) owned`.execute(trx);
  await sql`
    select pg_notify(${cancelChannel}, asset_id::text) from assets
      where workspace_id = ${workspaceId} and completed_at is null`.execute(trx);
  // What has no cascade goes in the order of its keys; the rest goes with the workspace.
  for (const table of ["assets", "media", "uploads", "usageChanges", "workspaces"] as const)
    await trx.deleteFrom(table).where("workspaceId", "=", workspaceId).execute();
  return objects;
}
