import type { App } from "../app.ts";
import type { AssetRun } from "../submissions/running/start-asset.ts";
import { newSpanId, rootOfSubmission } from "../telemetry/trace-context.ts";

export type AnalysisTrace = {
  /** A part of the analysis, from now until it is called. */
  part(name: string): () => void;
  /** `outcome` is `complete` or the errorType. */
  end(outcome: string): void;
};

/** The waiting in the queue and the analysis as spans below the request that created the submission. */
export function traceAnalysis({ telemetry }: App, { submission, asset, run }: AssetRun): AnalysisTrace | undefined {
  if (!telemetry) return undefined;
  const root = rootOfSubmission(submission.submissionId);
  const own = { traceId: root.traceId, spanId: newSpanId() };
  const startMs = Date.now();
  const attributes = {
    "greenlit.workspace_id": submission.workspaceId,
    "greenlit.submission_id": submission.submissionId,
    "greenlit.asset_id": asset.assetId,
    "greenlit.content_type": asset.contentType,
    "greenlit.run": run,
  };
  // Of a later run nobody knows since when it waited.
  if (run === 1)
    telemetry.add({
      traceId: root.traceId,
      spanId: newSpanId(),
      parentSpanId: root.spanId,
      name: "queue",
      kind: "consumer",
      attributes,
      startMs: Math.min(submission.createdAt.getTime(), startMs),
      endMs: startMs,
    });
  return {
    part(name) {
      const from = Date.now();
      return () =>
        telemetry.add({
          traceId: own.traceId,
          spanId: newSpanId(),
          parentSpanId: own.spanId,
          name,
          kind: "internal",
          startMs: from,
          endMs: Date.now(),
        });
    },
    end: (outcome) =>
      telemetry.add({
        ...own,
        parentSpanId: root.spanId,
        name: "analyze asset",
        kind: "consumer",
        startMs,
        endMs: Date.now(),
        attributes: { ...attributes, "greenlit.outcome": outcome },
        error: outcome === "complete" ? undefined : outcome,
      }),
  };
}
