import { pipeline } from "node:stream/promises";
import pg from "pg";
import type { Pack } from "tar-stream";
import type { Store } from "../storage/store.ts";
import { addEntry, toLines, writeArchive } from "./archive.ts";
import { takeBackupLock } from "./backup-lock.ts";

/** What is handed over. Keys, sessions and webhook secrets are not. */
const tables = [
  "submissions",
  "assets",
  "asset_results",
  "issues",
  "issue_status_changes",
  "removed_issues",
  "reviews",
  "review_decisions",
  "comments",
  "second_readings",
  "certificates",
  "rejudges",
  "audit_entries",
] as const;
const rowsPerPart = 1000;

export type WorkspaceExport = { rows: Record<string, number>; media: number; missing: string[] };

/**
 * Writes one archive of a workspace while the service runs, all of it from one moment:
 * - `workspace.json`: the workspace, when it was exported, and the counts.
 * - `rows/<table>/<part>.ndjson`: submissions, results, decisions, comments, certificates and the audit, a row a line.
 * - `media/<media id>/<filename>`: the files, under the `media_id` that the rows of assets name.
 */
export async function exportWorkspace(options: {
  file: string;
  databaseUrl: string;
  store: Store;
  workspaceId: string;
  now: Date;
  isWithMedia: boolean;
}): Promise<WorkspaceExport> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: "greenlit-export" });
  await client.connect();
  try {
    return await writeArchive(options.file, (archive) => fill(archive, client, options));
  } finally {
    await client.end();
  }
}

async function fill(
  archive: Pack,
  client: pg.Client,
  options: { store: Store; workspaceId: string; now: Date; isWithMedia: boolean },
): Promise<WorkspaceExport> {
  const { workspaceId, store, now } = options;
  await takeBackupLock(client);
  // Entries that wait to be chained would be missing.
  await client.query("select append_audit($1, '[]')", [workspaceId]);
  await client.query("begin isolation level repeatable read read only");
  const result: WorkspaceExport = { rows: {}, media: 0, missing: [] };
  for (const table of tables) {
    result.rows[table] = 0;
    const select = `select to_jsonb(${table}) as row from ${table} where workspace_id = $1`;
    for await (const rows of inParts<{ row: object }>(client, select, workspaceId)) {
      const part = String(Math.floor(result.rows[table] / rowsPerPart) + 1).padStart(6, "0");
      const lines = toLines(rows.map(({ row }) => row));
      await addEntry(archive, `rows/${table}/${part}.ndjson`, lines);
      result.rows[table] += rows.length;
    }
  }
  if (options.isWithMedia) {
    const select = `
      select media_id as "mediaId", reference, etag, size_bytes::float8 as "sizeBytes", filename
      from media join uploads using (upload_id) where media.workspace_id = $1 and removed_at is null`;
    for await (const media of inParts<Medium>(client, select, workspaceId))
      for (const medium of media)
        if (await addMedium(archive, store, medium)) result.media += 1;
        else result.missing.push(medium.mediaId);
  }
  const { rows } = await client.query<{ workspace: object }>(
    "select to_jsonb(workspaces) as workspace from workspaces where workspace_id = $1",
    [workspaceId],
  );
  const about = { format: "greenlit-workspace", version: 1, exportedAt: now, ...rows[0], ...result };
  await addEntry(archive, "workspace.json", JSON.stringify(about, null, 2));
  return result;
}

type Medium = { mediaId: string; reference: string; etag: string; sizeBytes: number; filename: string };

/** False when the store does not have it. */
async function addMedium(archive: Pack, store: Store, medium: Medium): Promise<boolean> {
  if ((await store.head(medium.reference)) === null) return false;
  const bytes = await store.open(medium.reference, { etag: medium.etag });
  const name = `media/${medium.mediaId}/${medium.filename.replaceAll(/[/\\]/g, "_")}`;
  await pipeline(bytes, archive.entry({ name, size: medium.sizeBytes, mode: 0o600 }));
  return true;
}

async function* inParts<Row extends object>(client: pg.Client, select: string, workspaceId: string) {
  await client.query(`declare part no scroll cursor for ${select}`, [workspaceId]);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${rowsPerPart} from part`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query("close part");
}
