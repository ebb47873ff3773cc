import type { App } from "../../app.ts";
import { changeSubmission } from "./change-submission.ts";
import type { Asset, Submission } from "../submission.ts";
import { startUntouchedAsset } from "./start-untouched-asset.ts";
import { nextStatus } from "../state.ts";
import type { SubmissionSnapshot } from "./submission-snapshot.ts";

/** What one worker works on. `run` fences it: once another worker has started, this one can write nothing. */
export type AssetRun = {
  submission: Submission;
  asset: Asset;
  media: { reference: string; etag: string };
  /** Whether the analysis needs credits. */
  isMetered: boolean;
  run: number;
  /** As the start left it, unless the credits that the analysis will hold are to be read in the end. */
  seen: SubmissionSnapshot | undefined;
};

type StartOptions = { assetId: string; submissionId: string; workspaceId: string; workflowId: string };

/** Marks the asset as being analysed by the caller; undefined when there is nothing to do any more. */
export async function startAsset(app: App, options: StartOptions): Promise<AssetRun | undefined> {
  const { assetId, submissionId, workspaceId, workflowId } = options;
  const first = await startUntouchedAsset(app.db, { ...options, now: app.now() });
  const state = first?.isStarted
    ? first.state
    : await changeSubmission(app, {
        submissionId,
        workspaceId,
        seen: first?.state,
        decide({ assets }) {
          // A job of an earlier attempt that was thought lost has nothing to say about this one.
          const asset = assets.find(
            (candidate) => candidate.assetId === assetId && candidate.workflowId === workflowId,
          );
          const status = asset && nextStatus(asset.status, "start");
          if (!status) return undefined;
          return {
            assets: [{ ...asset, status, run: asset.run + 1 }],
            messages: asset.run > 0 ? [{ event: "asset.restarted", data: { assetId } }] : [],
          };
        },
      });
  const asset = state?.assets.find((candidate) => candidate.assetId === assetId);
  const media = state?.media.get(assetId);
  if (!state || !asset || !media) return undefined;
  const { submission, isMetered } = state;
  const seen = isMetered || asset.creditsHeld !== null ? undefined : state;
  return { submission, asset, media, isMetered, run: asset.run, seen };
}
