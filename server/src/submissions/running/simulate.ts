import type { App } from "../../app.ts";
import { enqueueSimulation, type SimulationJob } from "../../queue/simulation-queue.ts";
import { changeSubmission, type Change } from "./change-submission.ts";
import { isTerminal } from "../state.ts";
import type { SubmissionSnapshot } from "./submission-snapshot.ts";
import { completedData, realtimeData } from "./webhook-data.ts";

/**
 * A sandbox submission's two steps: to processing at once, to complete when its delay is over. The second step is a
 * job of its own, so that a restart in between changes nothing. No result, no event, no credits.
 */
export async function simulate(app: App, job: SimulationJob): Promise<void> {
  const { submissionId, workspaceId } = job;
  let remainingSeconds = 0;

  const decide = ({ submission, assets }: SubmissionSnapshot, now: Date): Change | undefined => {
    if (submission.workflowId !== job.workflowId || submission.mode !== "sandbox") return undefined;
    const endsAt = submission.createdAt.getTime() + submission.simulationDelaySeconds * 1000;
    remainingSeconds = Math.ceil((endsAt - now.getTime()) / 1000);
    const open = assets.filter(({ status }) => !isTerminal(status));
    if (remainingSeconds > 0) return { assets: open.map((asset) => ({ ...asset, status: "processing" })) };
    const ended = open.map((asset) => ({ ...asset, status: "complete" as const, completedAt: now }));
    const told = ended.map((asset) => completedData({ submission, asset, severityCounts: null, livemode: false }));
    return { assets: ended, messages: told.map((data) => ({ event: "asset.completed", data: realtimeData(data) })) };
  };

  await app.db.transaction().execute(async (trx) => {
    const state = await changeSubmission(app, { submissionId, workspaceId, trx, decide });
    if (state && remainingSeconds > 0) await enqueueSimulation(app.queue, trx, job, remainingSeconds);
  });
}
