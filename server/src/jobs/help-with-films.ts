import { setTimeout } from "node:timers/promises";
import type { runAnalysisInChild } from "@greenlit/engine/child.ts";
import type { App } from "../app.ts";
import { claimFilmPart, type ClaimedPart } from "../films/film-parts.ts";
import { cancelChannel } from "../submissions/delete-submission.ts";
import { createCopy } from "./copy-media.ts";
import { gatherFilmPart } from "./gather-film-part.ts";

const lookEveryMs = 1000;

/**
 * Takes parts of films that other workers, or other slots of this one, have planned: as many at once as there are slots
 * with nothing else to do. An asset that comes meanwhile does not wait for them.
 */
export function helpWithFilms(
  app: App,
  options: { scratch: string; busySlots: () => number; runAnalysis: typeof runAnalysisInChild },
): AsyncDisposable {
  const { busySlots } = options;
  const stopping = new AbortController();
  const helping = new Map<ClaimedPart, { cancel: AbortController; work: Promise<void> }>();
  const listening = app.listener.on(cancelChannel, (assetId) => {
    for (const [claimed, { cancel }] of helping)
      if (claimed.assetId === assetId) cancel.abort(new Error("the submission was deleted"));
  });

  /** The copy of a film is kept for its next part. */
  async function help(first: ClaimedPart, signal: AbortSignal): Promise<void> {
    await using copy = createCopy(app, { scratch: options.scratch, signal });
    const file = async () => {
      await copy.finish(first.media);
      return copy.file;
    };
    for (let claimed: ClaimedPart | undefined = first; claimed;) {
      await gatherFilmPart(app, { claimed, file, signal, runAnalysis: options.runAnalysis });
      const isFree = busySlots() + helping.size <= app.config.workerSlots;
      claimed = isFree ? await claimFilmPart(app, { film: first, isHelp: true }) : undefined;
    }
  }

  async function takeParts(): Promise<void> {
    while (busySlots() + helping.size < app.config.workerSlots && !stopping.signal.aborted) {
      const claimed = await claimFilmPart(app, { isHelp: true });
      if (!claimed) return;
      const cancel = new AbortController();
      const work = help(claimed, AbortSignal.any([stopping.signal, cancel.signal]))
        .catch((error: unknown) => {
          const { assetId, workspaceId, partIndex } = claimed;
          if (!stopping.signal.aborted && !cancel.signal.aborted)
            app.log.warn({ assetId, workspaceId, partIndex, err: error }, "part of a film handed back");
        })
        .finally(() => helping.delete(claimed));
      helping.set(claimed, { cancel, work });
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await takeParts().catch((error: unknown) => app.log.warn({ err: error }, "parts of films not looked for"));
      await setTimeout(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const loop = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error("the worker stops"));
      listening[Symbol.dispose]();
      await loop;
      await Promise.all([...helping.values()].map(({ work }) => work));
    },
  };
}
