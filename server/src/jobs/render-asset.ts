import { rm, mkdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import { findMediaType } from "@greenlit/engine/media-types/media-types.ts";
import { renderInChild } from "@greenlit/engine/renditions/render-child.ts";
import type { App } from "../app.ts";
import {
  endRendering,
  heartbeatMs,
  keepRendering,
  releaseRendering,
  type ClaimedRendering,
} from "../renditions/claim-rendering.ts";
import { keepPlan, keepRendition, knownRenditions } from "../renditions/keep-rendition.ts";
import { announce } from "../realtime/announce.ts";
import { AssetFailed } from "./asset-failed.ts";
import { createCopy } from "./copy-media.ts";

/** The same file fails in the same way again. */
const final: ReadonlySet<string> = new Set([
  "corrupt_media",
  "unsupported_media",
  "encrypted_document",
  "too_long",
  "blob_changed",
]);

/** Makes what browsers need to show one asset and keeps it. The signal aborts when the worker stops. */
export async function renderAsset(
  app: App,
  options: { claimed: ClaimedRendering; scratch: string; signal: AbortSignal },
): Promise<void> {
  const { claimed } = options;
  const { assetId, workspaceId, run } = claimed;
  const log = app.log.child({ assetId, workspaceId, run });
  const startedAt = performance.now();
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const giveUp = () => lost.abort(new Error("the asset is gone, or another worker has it"));
  let progressPercent = 0;
  const heartbeat = setInterval(() => {
    keepRendering(app, claimed, progressPercent).then(
      (isOurs) => isOurs || giveUp(),
      (error: unknown) => log.warn({ err: error }, "rendition lease not renewed"),
    );
  }, heartbeatMs);
  try {
    await make(app, { ...options, signal, giveUp, onProgress: (percent) => (progressPercent = percent) });
    await endRendering(app, claimed, { state: "ready" });
    await tell(app, claimed);
    log.info({ durationMs: Math.round(performance.now() - startedAt) }, "renditions ready");
  } catch (error) {
    if (lost.signal.aborted) return;
    if (options.signal.aborted) return releaseRendering(app, claimed);
    const isFinal = (error instanceof AnalysisError || error instanceof AssetFailed) && final.has(error.errorType);
    const isKnown = error instanceof AnalysisError || error instanceof AssetFailed;
    const errorMessage = isKnown ? error.message : "It could not be made ready for browsers.";
    log.warn({ err: error, isFinal }, "renditions failed");
    await endRendering(app, claimed, { state: isFinal ? "failed" : "waiting", errorMessage });
  } finally {
    clearInterval(heartbeat);
  }
}

async function make(
  app: App,
  options: {
    claimed: ClaimedRendering;
    scratch: string;
    signal: AbortSignal;
    giveUp: () => void;
    onProgress: (percent: number) => void;
  },
): Promise<void> {
  const { claimed, signal, giveUp } = options;
  await using stack = new AsyncDisposableStack();
  const folder = join(options.scratch, randomUUID());
  await mkdir(folder, { mode: 0o700 });
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const copy = stack.use(createCopy(app, options));
  await copy.finish(claimed.media);
  const { contentType, category } = findMediaType(claimed.contentType);
  const known = await knownRenditions(app, claimed);
  await renderInChild(
    { file: copy.file, mediaType: { contentType, category }, folder, known },
    {
      signal,
      onPlan: async (plan) => void ((await keepPlan(app, claimed, plan)) || giveUp()),
      onFile: async (rendition) => {
        if (!(await keepRendition(app, claimed, rendition)) && !known.includes(`${rendition.kind} ${rendition.number}`))
          giveUp();
        await unlink(rendition.file);
        if (rendition.kind === "thumbnail") await tell(app, claimed);
      },
      onProgress: (fraction) => options.onProgress(Math.min(99, Math.floor(fraction * 100))),
    },
  );
}

/** For pages that show the asset. */
async function tell({ db }: App, { workspaceId, submissionId, assetId }: ClaimedRendering): Promise<void> {
  await announce(db, { workspaceId, event: "renditions.changed", data: { submissionId, assetId } });
}
