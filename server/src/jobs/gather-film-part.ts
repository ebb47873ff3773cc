import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import type { runAnalysisInChild } from "@greenlit/engine/child.ts";
import { findMediaType } from "@greenlit/engine/media-types/media-types.ts";
import type { App } from "../app.ts";
import { type ClaimedPart, heartbeatMs, holdFilmPart, keepFilmPart, releaseFilmPart } from "../films/film-parts.ts";

/** Gathers one part of a film and keeps it. When that fails, the part is free again before the error is thrown. */
export async function gatherFilmPart(
  app: App,
  options: {
    claimed: ClaimedPart;
    /** The local copy, which may still have to be fetched. */
    file: () => Promise<string>;
    signal: AbortSignal;
    runAnalysis: typeof runAnalysisInChild;
  },
): Promise<void> {
  const { claimed, file, signal, runAnalysis } = options;
  const { contentType, category } = findMediaType(claimed.contentType);
  const lost = new AbortController();
  const startedAt = performance.now();
  let progressPercent = 0;
  const heartbeat = setInterval(() => {
    holdFilmPart(app, claimed, progressPercent).then(
      (isOurs) => isOurs || lost.abort(new Error("the asset is gone, or another worker has this part")),
      (error: unknown) => app.log.warn({ err: error }, "lease of a film's part not renewed"),
    );
  }, heartbeatMs);
  const observe = (outcome: string) =>
    app.metrics?.observeFilmPart({ outcome, durationSeconds: (performance.now() - startedAt) / 1000 });
  try {
    const { film } = await runAnalysis(
      {
        file: await file(),
        mediaType: { contentType, category },
        sidekicks: [],
        context: {},
        wantsPrint: { sha256: "" },
        film: claimed.step,
      },
      {
        memoryBytes: app.config.analysisMemoryMb * 1024 * 1024,
        timeoutSeconds: app.config.analysisTimeout / 1000,
        onProgress: (fraction) => (progressPercent = Math.min(99, Math.floor(fraction * 100))),
        signal: AbortSignal.any([signal, lost.signal]),
      },
    );
    if (film === undefined || !("part" in film)) throw new Error("the engine gave no part of the film");
    await keepFilmPart(app, claimed, Buffer.from(film.part, "base64"));
    observe("complete");
  } catch (error) {
    // Another worker has it: then nothing is lost.
    if (lost.signal.aborted && !signal.aborted) return;
    await releaseFilmPart(app, claimed, { isFailure: !signal.aborted });
    if (!signal.aborted) observe(error instanceof AnalysisError ? error.errorType : "internal_error");
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}
