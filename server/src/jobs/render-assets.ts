import { setTimeout } from "node:timers/promises";
import type { App } from "../app.ts";
import { claimRendering } from "../renditions/claim-rendering.ts";
import { cancelChannel } from "../submissions/delete-submission.ts";
import { renderAsset } from "./render-asset.ts";
import { openScratch } from "./scratch.ts";

const lookEveryMs = 1000;

/**
 * Makes renditions for as long as it is not disposed, one asset at a time in this process: they wait for analyses, never
 * the other way round.
 */
export async function renderAssets(app: App): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await openScratch(app.scratchFolder));
  const stopping = new AbortController();
  let current: { assetId: string; cancel: AbortController } | undefined;
  stack.use(
    app.listener.on(cancelChannel, (assetId) => {
      if (current?.assetId === assetId) current?.cancel.abort(new Error("the submission was deleted"));
    }),
  );

  async function renderNext(): Promise<boolean> {
    const claimed = await claimRendering(app);
    if (!claimed) return false;
    const cancel = new AbortController();
    current = { assetId: claimed.assetId, cancel };
    const signal = AbortSignal.any([stopping.signal, cancel.signal]);
    await renderAsset(app, { claimed, scratch: scratch.path, signal });
    current = undefined;
    return true;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const hasMore = await renderNext().catch((error: unknown) => {
        app.log.warn({ err: error }, "renditions could not be made");
        return false;
      });
      if (!hasMore) await setTimeout(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const loop = run();
  stack.defer(async () => {
    stopping.abort(new Error("the worker stops"));
    await loop;
  });
  const parts = stack.move();
  return { [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
