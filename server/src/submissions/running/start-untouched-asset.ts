import type { Kysely } from "kysely";
import { prepareStatement } from "../../db/prepared.ts";
import type { Tables } from "../../db/tables.ts";
import { notifyMessages, storeMessages, type Message } from "../../realtime/record-message.ts";
import { snapshotOf, snapshotQuery, type SnapshotRow, type SubmissionSnapshot } from "./submission-snapshot.ts";

/**
 * Reads a submission and, when nothing has happened to it since it was created, starts an asset of it in the same
 * statement. Nearly every start is such a one, and reading first would cost it a round trip. Gives the state after it,
 * or as it was found when it is for `changeSubmission` to decide; undefined when the submission is gone.
 */
export async function startUntouchedAsset(
  db: Kysely<Tables>,
  options: { assetId: string; submissionId: string; workspaceId: string; workflowId: string; now: Date },
): Promise<{ state: SubmissionSnapshot; isStarted: boolean } | undefined> {
  const { assetId, submissionId, workspaceId, workflowId, now } = options;
  const messages: Message[] = [{ event: "submission.status", data: { submissionId, status: "processing" } }];
  const [row] = await readAndStart(db, {
    submissionId,
    workspaceId,
    messages: JSON.stringify(messages),
    now,
    assetId,
    workflowId,
  });
  if (!row) return undefined;
  const found = snapshotOf(row);
  if (!row.started) return { state: found, isStarted: false };
  const { version, eventNumber } = row.started;
  const submission = { ...found.submission, eventNumber, status: "processing" as const };
  const assets = found.assets.map((asset) =>
    asset.assetId === assetId ? { ...asset, status: "processing" as const, run: 1 } : asset,
  );
  return { state: { ...found, version, submission, assets }, isStarted: true };
}

// The version is compared again when somebody else writes the row meanwhile, and then nothing is started.
const readAndStart = prepareStatement<
  { submissionId: string; workspaceId: string; messages: string; now: Date; assetId: string; workflowId: string },
  SnapshotRow & { started: { version: string; eventNumber: number } | null }
>(`
  with seen as materialized (${snapshotQuery}
  ), submission as (
    update submissions set event_number = event_number + jsonb_array_length(:messages), status = 'processing'
      from seen
      where submissions.submission_id = :submissionId and submissions.workspace_id = :workspaceId and submissions.xmin = seen.version::xid
        and submissions.status = 'submitted' and exists (
          select from assets
            where asset_id = :assetId and assets.submission_id = :submissionId and assets.workspace_id = :workspaceId and assets.workflow_id = :workflowId
              and assets.status = 'submitted' and run = 0)
      returning submissions.submission_id, submissions.workspace_id, event_number, submissions.xmin::text as version
  ), asset as (
    update assets set status = 'processing', run = 1
      from submission where asset_id = :assetId and assets.submission_id = :submissionId and assets.workspace_id = :workspaceId
  ), ${storeMessages}
  select seen.*, ${notifyMessages}, case when submission.version is not null
      then jsonb_build_object('version', submission.version, 'eventNumber', event_number) end as started
    from seen left join submission on true`);
