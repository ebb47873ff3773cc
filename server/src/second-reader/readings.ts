import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { findAsset, type AssetIds } from "../submissions/reading/read-asset.ts";

/** `detail`: what was not used, and why. */
export type Reading = Omit<Tables["secondReadings"], "readingId" | "createdAt">;

/** Everything that was asked and said. Not kept when the asset was deleted meanwhile. */
export async function keepReading(app: App, reading: Reading): Promise<void> {
  const { workspaceId, assetId, model, promptVersion, outcome, detail, imageCount, tokens, durationMs } = reading;
  const answer = reading.answer === null ? null : storable(reading.answer);
  await sql`
    insert into second_readings (reading_id, workspace_id, asset_id, model, prompt_version, outcome, detail, request,
        image_count, answer, tokens, duration_ms, created_at)
      select ${uuidv7()}, workspace_id, asset_id, ${model}, ${promptVersion}, ${outcome}, ${detail},
          ${storable(reading.request)}, ${imageCount}::integer, ${answer}, ${tokens}::integer, ${durationMs}::integer,
          ${app.now()}::timestamptz
        from assets where asset_id = ${assetId} and workspace_id = ${workspaceId}`.execute(app.db);
}

/** PostgreSQL takes no NUL. */
function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

export async function listReadings(app: App, ids: AssetIds) {
  const { assetId } = await findAsset(app, ids);
  const rows = await app.db
    .selectFrom("secondReadings")
    .selectAll()
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .orderBy("readingId")
    .execute();
  return rows.map(({ workspaceId: _workspaceId, assetId: _assetId, createdAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
  }));
}

export type Reservation = { workspaceId: string; day: string; tokens: number };

/**
 * Sets tokens aside before the model is asked; undefined: the workspace has spent its day. What a process that dies set
 * aside counts as spent, and so does what was asked about assets that are deleted since.
 */
export async function reserveTokens(
  app: App,
  { workspaceId, tokens, perDay }: { workspaceId: string; tokens: number; perDay: number },
): Promise<Reservation | undefined> {
  if (tokens > perDay) return undefined;
  const day = app.now().toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into second_reader_usage (workspace_id, day, tokens) values (${workspaceId}, ${day}, ${tokens})
      on conflict (workspace_id, day) do update set tokens = second_reader_usage.tokens + excluded.tokens
        where second_reader_usage.tokens + excluded.tokens <= ${perDay}
      returning tokens`.execute(app.db);
  return rows.length > 0 ? { workspaceId, day, tokens } : undefined;
}

/** What was really spent, in the place of what was set aside. */
export async function settleTokens(app: App, { workspaceId, day, tokens }: Reservation, spent: number): Promise<void> {
  await app.db
    .updateTable("secondReaderUsage")
    .set((where) => ({ tokens: where("tokens", "+", spent - tokens) }))
    .where("workspaceId", "=", workspaceId)
    .where("day", "=", day)
    .execute();
}
