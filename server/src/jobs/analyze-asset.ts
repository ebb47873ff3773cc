import type { Logger } from "pino";
import type { Context } from "@greenlit/engine/sidekick.ts";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import type { AnalysisResult } from "@greenlit/engine/analyze.ts";
import type { runAnalysisInChild } from "@greenlit/engine/child.ts";
import type { Probe } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import type { App } from "../app.ts";
import { databaseUnavailable } from "../db/database.ts";
import { isParentGone } from "../db/parent-gone.ts";
import type { AnalysisJob } from "../queue/analysis-queue.ts";
import type { TakenJob } from "../queue/queue.ts";
import { storeEvidence } from "../evidence/store-evidence.ts";
import { readAfterRules } from "../second-reader/read-after-rules.ts";
import { isStoreError } from "../storage/store.ts";
import { publishProgress } from "../realtime/publish-progress.ts";
import { contextOf } from "../submissions/creating/context.ts";
import { countCrash } from "../submissions/running/count-crash.ts";
import { holdCreditsForAsset, InsufficientCredits } from "../submissions/running/hold-credits.ts";
import { failAsset } from "../submissions/running/fail-asset.ts";
import { recordAnalysis } from "../submissions/running/record-analysis.ts";
import { recordProgress } from "../submissions/running/record-progress.ts";
import { startAsset, type AssetRun } from "../submissions/running/start-asset.ts";
import { createFindingStream, type FindingStream } from "../submissions/running/stream-findings.ts";
import { findMediaType } from "@greenlit/engine/media-types/media-types.ts";
import { analyzeFilm } from "./analyze-film.ts";
import { AssetFailed } from "./asset-failed.ts";
import { createCopy } from "./copy-media.ts";
import { traceAnalysis } from "./trace-analysis.ts";

const progressEveryMs = 500;
const maxUnexpectedErrors = 10;

/** One asset from the queue to its result. The signal aborts when the worker stops or the submission is deleted. */
export async function analyzeAsset(
  app: App,
  options: {
    job: AnalysisJob;
    taken?: TakenJob;
    scratch: string;
    signal: AbortSignal;
    runAnalysis: typeof runAnalysisInChild;
  },
): Promise<void> {
  const { job, taken, signal, runAnalysis } = options;
  await using copy = createCopy(app, options);
  if (job.media) copy.begin(job.media);
  const run = await startAsset(app, job);
  if (!run) return;
  const { submissionId, workspaceId } = run.submission;
  const { assetId } = run.asset;
  const ids = { submissionId, workspaceId, assetId, run: run.run };
  const startedAt = performance.now();
  const log = app.log.child({ ...ids, workflowId: job.workflowId });
  const takeovers = run.run - 1 - run.asset.retryCount;
  if (takeovers > 0) log.warn({ takeovers }, "asset taken over: the workers before died, stopped or met an error");
  const context = contextOf(run.submission, (await app.workspaceDefaults.of(workspaceId)).context);
  const stream = createFindingStream(app, { run, context });
  const trace = traceAnalysis(app, run);
  const measure = (outcome: string) => {
    trace?.end(outcome);
    app.metrics?.observeAnalysis({
      category: findMediaType(run.asset.contentType).category,
      outcome,
      durationSeconds: (performance.now() - startedAt) / 1000,
    });
  };
  let sha256: string | undefined;
  try {
    const copied = trace?.part("copy media");
    sha256 = await copy.finish(run.media);
    copied?.();
    const { file } = copy;
    const judged = trace?.part("engine");
    const analysis = await analyze(app, { run, file, sha256, context, signal, stream, runAnalysis });
    judged?.();
    const { measurements, frames, missingFrames } = analysis;
    copy.remove();
    if (missingFrames.length > 0) log.warn({ missingFrames }, "findings without a frame");
    const keep = (kind: "evidence" | "prints", packed: string | undefined) =>
      packed === undefined ? undefined : keepPacked(app, { ...ids, kind, packed, log });
    const [evidence, print] = await Promise.all([
      keep("evidence", analysis.keptEvidence),
      keep("prints", analysis.print),
    ]);
    const { sidekickIds } = run.submission;
    const findings = await readAfterRules(
      app,
      {
        workspaceId,
        assetId,
        sidekickIds,
        context,
        measurements,
        frames,
        findings: analysis.findings,
        evidence: analysis.keptEvidence === undefined ? undefined : Buffer.from(analysis.keptEvidence, "base64"),
      },
      signal,
    );
    const result = { findings, measurements, frames, context, evidence, print };
    const told = await stream.stop();
    const isOurs = await recordAnalysis(app, { ...ids, sha256, result, seen: run.seen, told, taken });
    if (!isOurs) for (const kept of [evidence, print]) await kept?.discard();
    measure("complete");
    log.info(
      { durationMs: Math.round(performance.now() - startedAt), issues: findings.length, isOurs },
      "asset complete",
    );
  } catch (error) {
    signal.throwIfAborted();
    const failed = failureOf(error) ?? (await giveUp(app, run, error));
    if (!failed) throw error;
    await failAsset(app, { ...ids, sha256, errorType: failed.errorType, errorMessage: failed.message });
    measure(failed.errorType);
    log.info({ errorType: failed.errorType, err: failed.cause }, "asset failed");
  } finally {
    await stream.stop();
  }
}

/** Undefined when the store does not take it: the result is worth more than being able to judge it again. */
async function keepPacked(
  app: App,
  options: { workspaceId: string; assetId: string; kind: "evidence" | "prints"; packed: string; log: Logger },
): Promise<Awaited<ReturnType<typeof storeEvidence>> | undefined> {
  const { workspaceId, assetId, kind, packed, log } = options;
  try {
    return await storeEvidence(app, { workspaceId, assetId, kind, bytes: Buffer.from(packed, "base64") });
  } catch (error) {
    if (!isStoreError(error)) throw error;
    log.warn({ err: error, kind }, "evidence or print not kept: the store did not take it");
    return undefined;
  }
}

/** In a child that is tried once more when it crashes; a crash is counted in the database, so that it survives this process. */
async function analyze(
  app: App,
  options: {
    run: AssetRun;
    file: string;
    sha256: string;
    context: Context;
    signal: AbortSignal;
    stream: FindingStream;
    runAnalysis: typeof runAnalysisInChild;
  },
): Promise<AnalysisResult> {
  const { run, file, sha256, context, signal, stream, runAnalysis } = options;
  const { contentType, category } = findMediaType(run.asset.contentType);
  const progress = createProgress(app, run);
  for (;;) {
    const held = createHold(app, { run, category, signal });
    try {
      const result = await analyzeFilm(app, {
        film: { assetId: run.asset.assetId, workspaceId: run.asset.workspaceId },
        signal: held.signal,
        runAnalysis,
        request: {
          file,
          mediaType: { contentType, category },
          sidekicks: app.sidekicks.filter(
            ({ sidekickId, rules }) => rules.length > 0 && run.submission.sidekickIds.includes(sidekickId),
          ),
          context,
          wantsFrames: true,
          wantsEvidence: true,
          wantsPrint: { sha256 },
        },
        options: {
          memoryBytes: app.config.analysisMemoryMb * 1024 * 1024,
          timeoutSeconds: app.config.analysisTimeout / 1000,
          onProgress: progress,
          onProbe: held.onProbe,
          onFinding: stream.add,
          signal: held.signal,
        },
      });
      await held.done();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      await held.done();
      const mayTryAgain =
        error instanceof AnalysisError && error.errorType === "analyzer_crashed" && (await countCrash(app, run)) === 1;
      if (!mayTryAgain) throw error;
      await stream.restart();
    }
  }
}

/** Credits are held as soon as the asset is probed, while the analysis goes on; it is stopped when they do not suffice. */
function createHold(
  app: App,
  { run, category, signal }: { run: AssetRun; category: "video" | "audio" | "image" | "document"; signal: AbortSignal },
) {
  const stop = new AbortController();
  let holding: Promise<void> = Promise.resolve();
  return {
    signal: AbortSignal.any([signal, stop.signal]),
    onProbe: (probe: Probe) => {
      if (!run.isMetered) return;
      holding = holdCreditsForAsset(app, { run, category, probe }).catch((error: unknown) => stop.abort(error));
    },
    /** Throws when the credits did not suffice. */
    async done(): Promise<void> {
      await holding;
      if (!stop.signal.aborted) return;
      const reason: unknown = stop.signal.reason;
      throw reason;
    },
  };
}

function createProgress(app: App, run: AssetRun): (fraction: number) => void {
  let lastAt = 0;
  return (fraction) => {
    if (performance.now() - lastAt < progressEveryMs) return;
    lastAt = performance.now();
    const progressPercent = Math.min(99, Math.floor(fraction * 100));
    const { submissionId, workspaceId } = run.submission;
    recordProgress(app, run, progressPercent).catch((error: unknown) =>
      app.log.warn({ err: error }, "progress not recorded"),
    );
    publishProgress(app, { submissionId, workspaceId, assetId: run.asset.assetId, progressPercent });
  };
}

/** An error that nobody expected hands the job back to the queue, but not for ever. A database or a store out of reach does not count. */
async function giveUp(app: App, run: AssetRun, error: unknown): Promise<AssetFailed | undefined> {
  if (databaseUnavailable(error) || isStoreError(error, "unavailable") || isParentGone(error)) return undefined;
  if ((await countCrash(app, run)) < maxUnexpectedErrors) return undefined;
  return new AssetFailed(
    "internal_error",
    "The analysis failed repeatedly because of a problem on our side. Retry it; if it fails again, give your operator the asset's id.",
    { cause: error },
  );
}

function failureOf(error: unknown): AssetFailed | undefined {
  if (error instanceof AssetFailed) return error;
  if (error instanceof InsufficientCredits) return new AssetFailed("insufficient_credits", error.message);
  if (error instanceof AnalysisError) return new AssetFailed(error.errorType, error.message, { cause: error.cause });
  return undefined;
}
