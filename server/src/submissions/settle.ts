import type { Kysely, Selectable } from "kysely";
import type { App } from "../app.ts";
import type { Status, Tables } from "../db/tables.ts";
import { recordMessages, type RealtimeEvent } from "../realtime/record-message.ts";
import { isTerminal, submissionStatus } from "./state.ts";

export type Submission = Selectable<Tables["submissions"]>;
export type Asset = Selectable<Tables["assets"]>;

type Ids = { submissionId: string; workspaceId: string };

/**
 * Runs a change of a submission's assets with its row locked, then brings its own status in line and tells the realtime
 * channel, all in one transaction. Undefined when the submission is gone, or when the change says it does not apply.
 */
export async function changeSubmission<T>(
  app: App,
  ids: Ids,
  change: (
    trx: Kysely<Tables>,
    submission: Submission,
    tell: (event: RealtimeEvent, data: Record<string, unknown>) => void,
  ) => Promise<T | undefined>,
): Promise<T | undefined> {
  return app.db.transaction().execute(async (trx) => {
    const submission = await trx
      .selectFrom("submissions")
      .selectAll()
      .where("submissionId", "=", ids.submissionId)
      .where("workspaceId", "=", ids.workspaceId)
      .forUpdate()
      .executeTakeFirst();
    if (!submission) return undefined;

    const messages: { event: RealtimeEvent; data: Record<string, unknown> }[] = [];
    const result = await change(trx, submission, (event, data) => void messages.push({ event, data }));
    if (result === undefined) return undefined;

    const now = app.now();
    const status = await settle(trx, { submission, now });
    if (status) messages.push({ event: "submission.status", data: { submissionId: ids.submissionId, status } });
    await recordMessages(trx, { ...ids, now, messages });
    return result;
  });
}

/** Writes the status that the assets add up to; returns it when it is another than before. */
async function settle(
  trx: Kysely<Tables>,
  { submission, now }: { submission: Submission; now: Date },
): Promise<Status | undefined> {
  const { submissionId, workspaceId } = submission;
  const assets = await trx
    .selectFrom("assets")
    .select("status")
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  const status = submissionStatus(assets.map((asset) => asset.status));
  if (status === submission.status) return undefined;
  await trx
    .updateTable("submissions")
    .set({ status, completedAt: isTerminal(status) ? now : null })
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  return status;
}
