import { type Measurements, noMeasurements } from "@greenlit/engine/measurements.ts";
import { sql, type Expression } from "kysely";
import type { App } from "../../app.ts";
import { findFinishedAsset, type AssetIds } from "./read-asset.ts";

/** What was measured, whether or not a rule had something to say about it. Nothing for a sandbox asset. */
export async function readMeasurements(app: App, ids: AssetIds) {
  const { speech, ...rest } = await readStored(app, ids, Object.keys(noMeasurements) as (keyof Measurements)[]);
  return {
    ...rest,
    speech: speech && { segmentCount: speech.segments.length, notJudged: speech.notJudged },
  };
}

/** Some of what is stored: a curve of a long film need not be read to get at its words. */
export async function readStored<Key extends keyof Measurements>(
  app: App,
  ids: AssetIds,
  keys: readonly Key[],
): Promise<Pick<Measurements, Key>> {
  const { assetId } = await findFinishedAsset(app, ids);
  const row = await app.db
    .selectFrom("assetResults")
    .select((columns) => picked(columns.ref("measurements"), keys).as("stored"))
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  if (!row) await findFinishedAsset(app, ids);
  return { ...noMeasurements, ...row?.stored };
}

function picked(measurements: Expression<unknown>, keys: readonly string[]) {
  const pairs = keys.map((key) => sql`${sql.lit(key)}::text, ${measurements} -> ${sql.lit(key)}`);
  return sql<Partial<Measurements>>`jsonb_build_object(${sql.join(pairs)})`;
}
