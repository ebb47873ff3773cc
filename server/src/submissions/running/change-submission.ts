import type { Kysely } from "kysely";
import type { App } from "../../app.ts";
import type { Tables } from "../../db/tables.ts";
import type { TakenJob } from "../../queue/queue.ts";
import { noFacts, writeReview, type ReviewFacts } from "../../review/open-review.ts";
import type { Message } from "../../realtime/record-message.ts";
import type { NewEvent } from "../../webhooks/record-event.ts";
import { isTerminal, submissionStatus } from "../state.ts";
import type { Asset } from "../submission.ts";
import { readSnapshot, type SubmissionSnapshot } from "./submission-snapshot.ts";
import { writeChange, type ChangeRows } from "./write-change.ts";

export type Change = {
  /** The assets that change, as they are to be. */
  assets?: Asset[];
  /** That of the submission, when it has a new one. */
  workflowId?: string;
  results?: ChangeRows["results"];
  /** What the review of the asset that completes begins with. */
  review?: ReviewFacts;
  messages?: Message[];
  event?: Omit<NewEvent, "submissionId" | "workspaceId" | "now">;
};

/**
 * Changes a submission's assets, updates its own status and notifies the realtime channel, all at once. What to
 * change is decided on the state that was read; when somebody else was faster it is read and decided again, so nothing
 * is locked meanwhile. Gives the state after the change; undefined when the submission is gone, or when it was decided
 * that nothing is to change.
 */
export async function changeSubmission(
  app: App,
  options: {
    submissionId: string;
    workspaceId: string;
    /** The transaction of the change, when it is part of a larger one. */
    trx?: Kysely<Tables> | undefined;
    /** The state as the caller knows it, which saves reading it. */
    seen?: SubmissionSnapshot | undefined;
    /** The job whose work the change ends: it is completed with it. */
    taken?: TakenJob | undefined;
    decide: (state: SubmissionSnapshot, now: Date) => Change | undefined;
  },
): Promise<SubmissionSnapshot | undefined> {
  const db = options.trx ?? app.db;
  for (let { seen } = options; ; seen = undefined) {
    const state = seen ?? (await readSnapshot(db, options));
    const now = app.now();
    const change = state && options.decide(state, now);
    if (!change) return undefined;
    const after = settle(state, change, now);
    const written = await writeChange(db, state.version, {
      ...toRows(state, change, after, now),
      // A sandbox asset is made ready when somebody looks at it.
      rendersMedia: app.config.renditions && state.submission.mode === "live",
      taken: options.taken,
    });
    if (written)
      return {
        ...after,
        version: written.version,
        submission: { ...after.submission, eventNumber: written.eventNumber },
      };
  }
}

/** The state with the change, and the status that the assets add up to then. */
function settle(state: SubmissionSnapshot, change: Change, now: Date): SubmissionSnapshot {
  const changed = new Map(change.assets?.map((asset) => [asset.assetId, asset]));
  const assets = state.assets.map((asset) => changed.get(asset.assetId) ?? asset);
  const { workflowId = state.submission.workflowId } = change;
  const status = submissionStatus(assets.map((asset) => asset.status));
  const submission = { ...state.submission, workflowId };
  if (status === submission.status) return { ...state, assets, submission };
  return { ...state, assets, submission: { ...submission, status, completedAt: isTerminal(status) ? now : null } };
}

function toRows(
  before: SubmissionSnapshot,
  change: Change,
  { submission }: SubmissionSnapshot,
  now: Date,
): Omit<ChangeRows, "rendersMedia" | "taken"> {
  const { submissionId, workspaceId, status } = submission;
  const { assets = [], results = [], messages = [], event, review: facts = noFacts } = change;
  const told: Message[] =
    status === before.submission.status ? [] : [{ event: "submission.status", data: { submissionId, status } }];
  return {
    submission,
    assets,
    results,
    reviews: assets
      .filter(({ status }) => status === "complete")
      .map((asset) => writeReview({ submission, asset, facts, now })),
    messages: [...messages, ...told],
    event: event && { ...event, submissionId, workspaceId, now },
    now,
  };
}
