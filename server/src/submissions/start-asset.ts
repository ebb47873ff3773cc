import type { App } from "../app.ts";
import { changeSubmission, type Asset, type Submission } from "./settle.ts";
import { nextStatus } from "./state.ts";

/** What one worker works on. `run` fences it: once another worker has started, this one can write nothing. */
export type AssetRun = {
  submission: Submission;
  asset: Asset;
  media: { reference: string; etag: string };
  /** Whether the analysis needs credits. */
  isMetered: boolean;
  run: number;
};

/** Marks the asset as being analysed by the caller; undefined when there is nothing to do any more. */
export async function startAsset(
  app: App,
  job: { assetId: string; submissionId: string; workspaceId: string; workflowId: string },
): Promise<AssetRun | undefined> {
  const { assetId, submissionId, workspaceId, workflowId } = job;
  return changeSubmission(app, { submissionId, workspaceId }, async (trx, submission, tell) => {
    const current = await trx
      .selectFrom("assets")
      .innerJoin("media", "media.mediaId", "assets.mediaId")
      .innerJoin("workspaces", "workspaces.workspaceId", "assets.workspaceId")
      .selectAll("assets")
      .select(["media.reference", "media.etag", "workspaces.creditBalance"])
      .where("assetId", "=", assetId)
      .where("assets.workspaceId", "=", workspaceId)
      .executeTakeFirst();
    // A job of an earlier attempt that was thought lost has nothing to say about this one.
    if (!current || current.workflowId !== workflowId) return undefined;
    const status = nextStatus(current.status, "start");
    if (!status) return undefined;

    const asset = await trx
      .updateTable("assets")
      .set((set) => ({ status, run: set("run", "+", 1) }))
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (current.run > 0) tell("asset.restarted", { assetId });
    return {
      submission,
      asset,
      media: { reference: current.reference, etag: current.etag },
      isMetered: current.creditBalance !== null,
      run: asset.run,
    };
  });
}
