import type { Kysely } from "kysely";
import { runPrepared } from "../../db/prepared.ts";
import type { Tables } from "../../db/tables.ts";
import { notifyMessages, storeMessages, type Message } from "../../realtime/record-message.ts";
import { notifyDeliveries, storeEvent, writeEvent, type NewEvent } from "../../webhooks/record-event.ts";
import type { Asset, Submission } from "../submission.ts";

/** What a change leaves behind, all of it or nothing. */
export type ChangeRows = {
  submission: Submission;
  /** The assets that change, as they are to be. */
  assets: Asset[];
  results: { assetId: string; measurements: Record<string, unknown>; context: Record<string, unknown> }[];
  messages: Message[];
  event: NewEvent | undefined;
  now: Date;
};

/**
 * Writes a change of a submission that was read at `version` in one statement, which is a transaction by itself when
 * the caller has none: each further round trip would cost more than the rows. Undefined when the submission is gone or
 * has been changed meanwhile, and nothing is written then.
 */
export async function writeChange(
  db: Kysely<Tables>,
  version: string,
  { submission, assets, results, messages, event, now }: ChangeRows,
): Promise<{ version: string; eventNumber: number } | undefined> {
  const [written] = await runPrepared<{ version: string; eventNumber: number }>(db, statement, [
    submission.submissionId,
    submission.workspaceId,
    JSON.stringify(messages),
    now,
    event ? writeEvent(event) : null,
    version,
    submission.status,
    submission.completedAt,
    submission.workflowId,
    JSON.stringify(assets),
    JSON.stringify(results),
  ]);
  return written;
}

// What others write while an asset is analysed (its progress, hash, crashes, held credits) is not written from here,
// but for the new beginning of a retry and the 100 % of the end.
const statement = `
  with submission as (
    update submissions
      set event_number = event_number + jsonb_array_length($3), status = $7, completed_at = $8, workflow_id = $9
      where submission_id = $1 and workspace_id = $2 and xmin = $6::xid
      returning submission_id, workspace_id, event_number, xmin::text as version
  ), asset as (
    update assets set status = changed.status, workflow_id = changed."workflowId", run = changed.run,
        issue_count = changed."issueCount", error_message = changed."errorMessage", error_type = changed."errorType",
        is_retryable = changed."isRetryable", retry_count = changed."retryCount",
        counted_retries = changed."countedRetries", completed_at = changed."completedAt",
        progress_percent = case changed.status when 'complete' then 100 when 'submitted' then 0 else progress_percent end,
        crashes = case changed.status when 'submitted' then 0 else crashes end
      from submission, jsonb_to_recordset($10) as changed ("assetId" uuid, status text, "workflowId" text, run integer,
        "issueCount" integer, "errorMessage" text, "errorType" text, "isRetryable" boolean, "retryCount" integer,
        "countedRetries" integer, "completedAt" timestamptz)
      where assets.asset_id = changed."assetId" and assets.submission_id = $1 and assets.workspace_id = $2
  ), result as (
    insert into asset_results (asset_id, workspace_id, measurements, context)
      select "assetId", $2, measurements, context from submission,
        jsonb_to_recordset($11) as made ("assetId" uuid, measurements jsonb, context jsonb)
      on conflict (asset_id) do update set measurements = excluded.measurements, context = excluded.context
  ), ${storeMessages}, ${storeEvent}
  select version, event_number, ${notifyMessages}, ${notifyDeliveries} from submission`;
