import type { App } from "../app.ts";
import { chainAllWaiting } from "../audit/chain-audit.ts";
import { sweepFilmParts } from "../films/film-parts.ts";
import { sweepSessions } from "../people/sessions.ts";
import { removeOldSubmissions } from "../submissions/remove-old-submissions.ts";
import { removeOldMedia } from "../uploads/remove-old-media.ts";
import { retryRemovals } from "../uploads/removals.ts";
import { removeUnclaimed } from "../uploads/remove-unclaimed.ts";
import { removeOldEvents } from "../webhooks/remove-old-events.ts";
import { sweepAnswers } from "../workspaces/idempotency.ts";
import { sweepRateSlots } from "../workspaces/rate-limit.ts";
import { foldUsage } from "../workspaces/usage.ts";
import { sweepScratch } from "./scratch.ts";

const leftoversMs = 24 * 60 * 60 * 1000;

/** Once a minute, on one process of the deployment. One task that fails must not keep the others from running. */
export async function housekeeping(app: App): Promise<void> {
  const tasks: Record<string, () => Promise<unknown>> = {
    rateSlots: () => sweepRateSlots({ pool: app.pool, now: app.rateClock }),
    answers: () => sweepAnswers(app),
    sessions: () => sweepSessions(app.db, app.now()),
    scratch: () => sweepScratch(app.scratchFolder),
    removals: () => retryRemovals(app),
    filmParts: () => sweepFilmParts(app),
    audit: () => chainAllWaiting(app.db),
    usage: () => foldUsage(app.db),
    unclaimed: () => removeUnclaimed(app),
    ...retention(app),
    leftovers: () => app.store.sweep({ olderThan: new Date(app.now().getTime() - leftoversMs) }),
  };
  for (const [task, run] of Object.entries(tasks))
    try {
      await run();
    } catch (error) {
      app.log.error({ task, err: error }, "housekeeping failed");
    }
}

/** What the operator wants gone after a while; results first, because they take their files along. */
function retention(app: App): Record<string, () => Promise<unknown>> {
  const { retentionMedia, retentionResults, retentionEvents } = app.config;
  const ago = (milliseconds: number) => new Date(app.now().getTime() - milliseconds);
  return {
    ...(retentionResults !== undefined && {
      oldResults: () => removeOldSubmissions(app, { endedBefore: ago(retentionResults) }),
    }),
    ...(retentionMedia !== undefined && {
      oldMedia: () => removeOldMedia(app, { endedBefore: ago(retentionMedia) }),
    }),
    ...(retentionEvents !== undefined && { oldEvents: () => removeOldEvents(app, { before: ago(retentionEvents) }) }),
  };
}
