import {
  analysisQueues,
  housekeepingQueue,
  lostQueue,
  rejudgeQueue,
  simulationQueue,
  verificationQueue,
} from "../queue/queues.ts";
import { openAnalysisCache } from "@greenlit/engine/analysis-cache.ts";
import { runAnalysisInChild } from "@greenlit/engine/child.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import type { App } from "../app.ts";
import type { VerificationJob } from "../certificates/compare-content.ts";
import { isParentGone } from "../db/parent-gone.ts";
import { type AnalysisJob } from "../queue/analysis-queue.ts";
import type { TakenJob } from "../queue/queue.ts";
import { type SimulationJob } from "../queue/simulation-queue.ts";
import { runRejudge, type RejudgeJob } from "../rejudge/run-rejudge.ts";
import { cancelChannel } from "../submissions/delete-submission.ts";
import { simulate } from "../submissions/running/simulate.ts";
import { analyzeAsset } from "./analyze-asset.ts";
import { failLostAsset } from "./fail-lost-asset.ts";
import { helpWithFilms } from "./help-with-films.ts";
import { housekeeping } from "./housekeeping.ts";
import { openScratch } from "./scratch.ts";
import { verifyContent } from "./verify-content.ts";

/** Every job of the service and who handles it. Disposing hands unfinished assets back to the queue at once. */
export async function runJobs(
  app: App,
  { runAnalysis = runAnalysisInChild }: { runAnalysis?: typeof runAnalysisInChild } = {},
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const { queue, config } = app;
  const scratch = stack.use(await openScratch(app.scratchFolder));
  const cache = stack.use(openAnalysisCache({ ...app.analysisCache, sidekicks: app.sidekicks }));
  // Loaded at the first file that needs them and kept for the next.
  const models = stack.use(openModels({ whisperModel: config.whisperModel, speechModel: config.speechModel }));
  const running = new Map<string, AbortController>();
  const stopping = new AbortController();
  const unfinished = new Set<Promise<void>>();
  stack.defer(async () => {
    stopping.abort(new Error("the worker stops"));
    // An analysis that is still ending writes into the folder that is removed next.
    await Promise.allSettled(unfinished);
  });
  stack.use(
    app.listener.on(cancelChannel, (assetId) =>
      running.get(assetId ?? "")?.abort(new Error("the submission was deleted")),
    ),
  );

  async function analyze(job: AnalysisJob, taken: TakenJob): Promise<void> {
    stopping.signal.throwIfAborted();
    await untilStopped(analyzeUntilStopped(job, taken));
  }

  async function untilStopped(work: Promise<void>): Promise<void> {
    unfinished.add(work);
    await work.finally(() => unfinished.delete(work));
  }

  async function analyzeUntilStopped(job: AnalysisJob, taken: TakenJob): Promise<void> {
    const cancel = new AbortController();
    running.set(job.assetId, cancel);
    try {
      await analyzeAsset(app, {
        job,
        taken,
        runAnalysis: (request, options) => runAnalysis(request, { ...options, models, cache }),
        scratch: scratch.path,
        signal: AbortSignal.any([stopping.signal, cancel.signal]),
      });
    } catch (error) {
      if (cancel.signal.aborted) return;
      if (isParentGone(error)) {
        app.log.warn({ ...job, err: error }, "asset deleted while it was analysed");
        return;
      }
      if (!stopping.signal.aborted) app.log.error({ ...job, err: error }, "job handed back to the queue");
      throw error;
    } finally {
      running.delete(job.assetId);
    }
  }

  stack.use(
    helpWithFilms(app, {
      scratch: scratch.path,
      busySlots: () => running.size,
      runAnalysis: (request, options) => runAnalysis(request, { ...options, models, cache }),
    }),
  );

  const slots = {
    [analysisQueues.small]: config.workerSlots,
    [analysisQueues.large]: Math.max(1, config.workerSlots - 1),
  };
  for (const name of Object.values(analysisQueues))
    await queue.work<AnalysisJob>(name, { slots: slots[name] }, analyze);
  await queue.work<AnalysisJob>(lostQueue, { slots: 1 }, (job) => failLostAsset(app, job));
  await queue.work<SimulationJob>(simulationQueue, { slots: 2 }, (job) => simulate(app, job));
  await queue.work<RejudgeJob>(rejudgeQueue, { slots: 1 }, async (job) => {
    try {
      await runRejudge(app, { ...job, signal: stopping.signal });
    } catch (error) {
      // Tried again later: without a line nobody would know why a run does not get on.
      if (!stopping.signal.aborted) app.log.error({ ...job, err: error }, "rejudge handed back to the queue");
      throw error;
    }
  });
  await queue.work<VerificationJob>(verificationQueue, { slots: 1 }, (job) =>
    untilStopped(verifyContent(app, { job, scratch: scratch.path, signal: stopping.signal })),
  );
  await queue.work(housekeepingQueue, { slots: 1 }, () => housekeeping(app));
  await queue.boss.schedule(housekeepingQueue, "* * * * *");
  const parts = stack.move();
  return { [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
