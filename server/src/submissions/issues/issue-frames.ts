import type { EvidenceFrame } from "@greenlit/engine/evidence/frames/frames.ts";
import { sql, type Kysely } from "kysely";
import type { App } from "../../app.ts";
import type { Tables } from "../../db/tables.ts";
import { uuidv7 } from "../../db/uuid.ts";
import { Failure } from "../../failure.ts";
import { findFinishedAsset, type AssetIds } from "../reading/read-asset.ts";
import { issueNotFound } from "../reading/read-issues.ts";

const framesAtOnce = 50;

/** Keeps the frames of an analysis. The position of an issue is that of its finding in the result. */
export async function keepFrames(
  trx: Kysely<Tables>,
  options: { assetId: string; workspaceId: string; frames: readonly EvidenceFrame[]; now: Date },
): Promise<void> {
  const { assetId, workspaceId, now } = options;
  const rows = options.frames.map(({ seconds, page, jpegBase64, findings }) => ({
    frameId: uuidv7(now.getTime()),
    assetId,
    workspaceId,
    seconds,
    page,
    jpeg: Buffer.from(jpegBase64, "base64"),
    issuePositions: findings,
  }));
  // The submission's row is locked meanwhile: a round trip for each frame would hold up its other assets.
  for (let first = 0; first < rows.length; first += framesAtOnce)
    await trx
      .insertInto("assetFrames")
      .values(rows.slice(first, first + framesAtOnce))
      .execute();
}

/** What the picture looked like where the issue is. */
export async function readFrame(
  app: App,
  ids: AssetIds & { issueId: string },
): Promise<{ frameId: string; jpeg: Buffer }> {
  const { assetId } = await findFinishedAsset(app, ids);
  const issue = await app.db
    .selectFrom("issues")
    .select("position")
    .where("issueId", "=", ids.issueId)
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .executeTakeFirst();
  if (!issue) throw issueNotFound();
  const frame = await app.db
    .selectFrom("assetFrames")
    .select(["frameId", "jpeg"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .where(sql<boolean>`${issue.position} = any (issue_positions)`)
    .executeTakeFirst();
  if (frame) return frame;
  throw new Failure(
    "frame_not_found",
    "This issue has no frame: it has no position in the picture, or the frame could not be extracted.",
  );
}
