import type { App } from "../app.ts";
import { enqueueSimulation, type SimulationJob } from "../queue/simulation-queue.ts";
import { changeSubmission } from "./settle.ts";
import { completedData, realtimeData } from "./webhook-data.ts";

/**
 * A sandbox submission's two steps: to processing at once, to complete when its delay is over. The second step is a
 * job of its own, so that a restart in between changes nothing. No result, no event, no credits.
 */
export async function simulate(app: App, job: SimulationJob): Promise<void> {
  await changeSubmission(app, job, async (trx, submission, tell) => {
    if (submission.workflowId !== job.workflowId || submission.mode !== "sandbox") return undefined;
    const now = app.now();
    const endsAt = submission.createdAt.getTime() + submission.simulationDelaySeconds * 1000;
    const remainingSeconds = Math.ceil((endsAt - now.getTime()) / 1000);
    const isOver = remainingSeconds <= 0;
    const assets = await trx
      .updateTable("assets")
      .set(isOver ? { status: "complete", progressPercent: 100, completedAt: now } : { status: "processing" })
      .where("submissionId", "=", job.submissionId)
      .where("workspaceId", "=", job.workspaceId)
      .where("status", "in", ["submitted", "processing"])
      .returningAll()
      .execute();
    if (isOver)
      for (const asset of assets)
        tell(
          "asset.completed",
          realtimeData(completedData({ submission, asset, severityCounts: null, livemode: false })),
        );
    else await enqueueSimulation(app.queue, trx, job, remainingSeconds);
    return true;
  });
}
