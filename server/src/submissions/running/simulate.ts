import type { App } from "../../app.ts";
import { enqueueSimulation, type SimulationJob } from "../../queue/simulation-queue.ts";
import { changeSubmission, type Change } from "./change-submission.ts";
import { parseRehearsal, type Rehearsal } from "../rehearsal.ts";
import { isTerminal, mayRetry } from "../state.ts";
import type { Asset } from "../submission.ts";
import { defaultErrorMessage } from "./fire-events.ts";
import type { SubmissionSnapshot } from "./submission-snapshot.ts";
import { completedData, failedData, realtimeData } from "./webhook-data.ts";

/**
 * A sandbox submission's two steps: to processing at once, to its end when its delay is over. The second step is a job of
 * its own, so that a restart in between changes nothing. No result, no event, no credits. Assets end as complete, or as
 * failed where the submission rehearses that; one that was retried completes.
 */
export async function simulate(app: App, job: SimulationJob): Promise<void> {
  const { submissionId, workspaceId, workflowId } = job;
  let remainingSeconds = 0;

  const decide = (state: SubmissionSnapshot, now: Date): Change | undefined => {
    const { submission, assets } = state;
    if (submission.workflowId !== workflowId || submission.mode !== "sandbox") return undefined;
    const endsAt = submission.createdAt.getTime() + submission.simulationDelaySeconds * 1000;
    remainingSeconds = Math.ceil((endsAt - now.getTime()) / 1000);
    const open = assets.filter(({ status }) => !isTerminal(status));
    if (remainingSeconds > 0) return { assets: open.map((asset) => ({ ...asset, status: "processing" })) };
    const rehearsal = parseRehearsal(submission.metadata, { assetCount: assets.length });
    const ended = open.map((asset) => end(asset, { rehearsal, now }));
    return { assets: ended, messages: ended.map((asset) => describeEnd({ submission, asset })) };
  };

  const after = await app.db.transaction().execute(async (trx) => {
    const state = await changeSubmission(app, { submissionId, workspaceId, trx, decide });
    if (state && remainingSeconds > 0) await enqueueSimulation(app.queue, trx, job, remainingSeconds);
    return state;
  });
  if (after)
    app.log.info(
      { submissionId, workspaceId, workflowId, status: after.submission.status },
      "sandbox submission simulated",
    );
}

function end(asset: Asset, { rehearsal, now }: { rehearsal: Rehearsal | undefined; now: Date }): Asset {
  const isNamed = rehearsal?.failAssets?.includes(asset.position) ?? true;
  if (!rehearsal || !isNamed || asset.retryCount > 0) return { ...asset, status: "complete", completedAt: now };
  const failed = { ...asset, status: "failed" as const, errorType: rehearsal.errorType };
  return { ...failed, errorMessage: defaultErrorMessage, isRetryable: mayRetry(failed), completedAt: now };
}

function describeEnd({ submission, asset }: Pick<SubmissionSnapshot, "submission"> & { asset: Asset }) {
  const facts = { submission, asset, livemode: false };
  if (asset.status === "complete")
    return {
      event: "asset.completed" as const,
      data: realtimeData(completedData({ ...facts, severityCounts: null })),
    };
  const { errorMessage, errorType, isRetryable } = asset;
  return {
    event: "asset.failed" as const,
    data: realtimeData(failedData({ ...facts, errorMessage: errorMessage ?? "", errorType, isRetryable })),
  };
}
