import type { Kysely } from "kysely";
import { prepareStatement } from "../../db/prepared.ts";
import type { StoredEvidence } from "../../evidence/store-evidence.ts";
import type { Tables } from "../../db/tables.ts";
import { completeTakenJob } from "../../queue/analysis-queue.ts";
import type { TakenJob } from "../../queue/queue.ts";
import { openReviews, type writeReview } from "../../review/open-review.ts";
import { notifyMessages, storeMessages, type Message } from "../../realtime/record-message.ts";
import { notifyDeliveries, storeEvent, writeEvent, type NewEvent } from "../../webhooks/record-event.ts";
import type { Asset, Submission } from "../submission.ts";

/** What a change leaves behind, all of it or nothing. */
export type ChangeRows = {
  submission: Submission;
  /** The assets that change, as they are to be. */
  assets: Asset[];
  results: {
    assetId: string;
    measurements: Record<string, unknown>;
    context: Record<string, unknown>;
    /** Null: none could be kept. */
    evidence: StoredEvidence | null;
    print: StoredEvidence | null;
  }[];
  /** As `writeReview` gives them. */
  reviews: ReturnType<typeof writeReview>[];
  /** Whether what browsers need to show them is made of the assets that complete. */
  rendersMedia: boolean;
  /** The job that ends with this change. */
  taken: TakenJob | undefined;
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
  { submission, assets, results, reviews, rendersMedia, taken, messages, event, now }: ChangeRows,
): Promise<{ version: string; eventNumber: number } | undefined> {
  const { submissionId, workspaceId, status, completedAt, workflowId } = submission;
  const [written] = await write(db, {
    submissionId,
    workspaceId,
    messages: JSON.stringify(messages),
    now,
    event: event ? writeEvent(event) : null,
    version,
    status,
    completedAt,
    workflowId,
    assets: JSON.stringify(assets),
    results: JSON.stringify(results),
    reviews: JSON.stringify(reviews),
    rendersMedia,
    queueName: taken?.queueName ?? null,
    jobId: taken?.jobId ?? null,
  });
  return written;
}

// What others write while an asset is analysed (its progress, crashes, held credits) is not written from here,
// but for the new beginning of a retry and the 100 % of the end.
const write = prepareStatement<
  {
    submissionId: string;
    workspaceId: string;
    messages: string;
    now: Date;
    event: string | null;
    version: string;
    status: Submission["status"];
    completedAt: Date | null;
    workflowId: string;
    assets: string;
    results: string;
    reviews: string;
    rendersMedia: boolean;
    queueName: string | null;
    jobId: string | null;
  },
  { version: string; eventNumber: number }
>(`
  with submission as (
    update submissions
      set event_number = event_number + jsonb_array_length(:messages), status = :status, completed_at = :completedAt, workflow_id = :workflowId
      where submission_id = :submissionId and workspace_id = :workspaceId and xmin = :version::xid
      returning submission_id, workspace_id, event_number, xmin::text as version
  ), asset as (
    update assets set status = changed.status, workflow_id = changed."workflowId", run = changed.run,
        issue_count = changed."issueCount", error_message = changed."errorMessage", error_type = changed."errorType",
        is_retryable = changed."isRetryable", retry_count = changed."retryCount",
        counted_retries = changed."countedRetries", completed_at = changed."completedAt",
        sha256 = coalesce(changed.sha256, assets.sha256),
        progress_percent = case changed.status when 'complete' then 100 when 'submitted' then 0 else progress_percent end,
        crashes = case changed.status when 'submitted' then 0 else crashes end
      from submission, jsonb_to_recordset(:assets) as changed ("assetId" uuid, status text, "workflowId" text, run integer,
        "issueCount" integer, "errorMessage" text, "errorType" text, "isRetryable" boolean, "retryCount" integer,
        "countedRetries" integer, "completedAt" timestamptz, sha256 text)
      where assets.asset_id = changed."assetId" and assets.submission_id = :submissionId and assets.workspace_id = :workspaceId
  ), made as materialized (
    select made.* from submission, jsonb_to_recordset(:results) as made ("assetId" uuid, measurements jsonb, context jsonb,
      evidence jsonb, print jsonb)
  ), kept as (
    delete from removals using made where object_key in (evidence ->> 'objectKey', print ->> 'objectKey')
      returning object_key
  ), result as (
    insert into asset_results (asset_id, workspace_id, measurements, context, evidence_key, evidence_etag,
        evidence_sha256, evidence_size_bytes, print_key, print_etag, print_sha256, print_size_bytes)
      select "assetId", :workspaceId, measurements, context, kept.object_key, evidence ->> 'etag',
          evidence ->> 'sha256', (evidence ->> 'sizeBytes')::bigint, printed.object_key, print ->> 'etag',
          print ->> 'sha256', (print ->> 'sizeBytes')::bigint
        from made left join kept on kept.object_key = evidence ->> 'objectKey'
          left join kept as printed on printed.object_key = print ->> 'objectKey'
      on conflict (asset_id) do update set measurements = excluded.measurements, context = excluded.context,
        evidence_key = excluded.evidence_key, evidence_etag = excluded.evidence_etag,
        evidence_sha256 = excluded.evidence_sha256, evidence_size_bytes = excluded.evidence_size_bytes,
        print_key = excluded.print_key, print_etag = excluded.print_etag,
        print_sha256 = excluded.print_sha256, print_size_bytes = excluded.print_size_bytes
  ), rendered as (
    insert into rendering (asset_id, workspace_id, state)
      select "assetId", :workspaceId, 'waiting' from submission, jsonb_to_recordset(:reviews) as shown ("assetId" uuid)
        where :rendersMedia::boolean
      on conflict (asset_id) do nothing
  ), ${completeTakenJob}, ${openReviews}, ${storeMessages}, ${storeEvent}
  select version, event_number, ${notifyMessages}, ${notifyDeliveries} from submission`);
