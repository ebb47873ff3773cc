import type { Kysely } from "kysely";
import { runPrepared } from "../db/prepared.ts";
import type { Mode, Status, Tables } from "../db/tables.ts";
import type { Asset, Submission } from "./settle.ts";

/** A submission with its assets as they were at one moment; a change is written only while that moment lasts. */
export type SubmissionSnapshot = {
  /** Another one after every change of the submission's status or of one of its assets'. */
  version: string;
  submission: Submission;
  assets: Asset[];
  /** Where the bytes of each asset are, by the asset's id. */
  media: Map<string, { reference: string; etag: string }>;
  /** Whether analysing needs credits. */
  isMetered: boolean;
};

/** Undefined when the submission is gone. */
export async function readSnapshot(
  db: Kysely<Tables>,
  { submissionId, workspaceId }: { submissionId: string; workspaceId: string },
): Promise<SubmissionSnapshot | undefined> {
  const rows = await runPrepared<Row>(db, statement, [submissionId, workspaceId]);
  const [first] = rows;
  if (!first) return undefined;
  return {
    version: first.version,
    isMetered: first.isMetered,
    submission: submissionOf(first),
    assets: rows.map(assetOf),
    media: new Map(rows.map(({ assetId, reference, etag }) => [assetId, { reference, etag }])),
  };
}

/** The asset that the worker's run is about; undefined once another worker has started on it. */
export function findFenced(state: SubmissionSnapshot, { assetId, run }: { assetId: string; run: number }) {
  return state.assets.find((asset) => asset.assetId === assetId && asset.run === run);
}

type Row = Asset & {
  version: string;
  isMetered: boolean;
  reference: string;
  etag: string;
  mode: Mode;
  metadata: Record<string, unknown>;
  sidekickIds: string[];
  simulationDelaySeconds: number;
  eventNumber: number;
  createdAt: Date;
  submissionWorkflowId: string;
  submissionStatus: Status;
  submissionCompletedAt: Date | null;
};

function submissionOf(row: Row): Submission {
  return {
    submissionId: row.submissionId,
    workspaceId: row.workspaceId,
    mode: row.mode,
    metadata: row.metadata,
    sidekickIds: row.sidekickIds,
    simulationDelaySeconds: row.simulationDelaySeconds,
    eventNumber: row.eventNumber,
    createdAt: row.createdAt,
    workflowId: row.submissionWorkflowId,
    status: row.submissionStatus,
    completedAt: row.submissionCompletedAt,
  };
}

function assetOf(row: Row): Asset {
  return {
    assetId: row.assetId,
    submissionId: row.submissionId,
    workspaceId: row.workspaceId,
    position: row.position,
    mediaId: row.mediaId,
    filename: row.filename,
    contentType: row.contentType,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    versionGroupId: row.versionGroupId,
    versionNumber: row.versionNumber,
    status: row.status,
    workflowId: row.workflowId,
    progressPercent: row.progressPercent,
    issueCount: row.issueCount,
    errorMessage: row.errorMessage,
    errorType: row.errorType,
    isRetryable: row.isRetryable,
    retryCount: row.retryCount,
    countedRetries: row.countedRetries,
    run: row.run,
    crashes: row.crashes,
    creditsHeld: row.creditsHeld,
    completedAt: row.completedAt,
  };
}

// Every change writes the submission's row: the transaction that wrote it last is the version of all of it.
const statement = `
  select s.xmin::text as version, w.credit_balance is not null as is_metered, m.reference, m.etag,
    s.mode, s.metadata, s.sidekick_ids, s.simulation_delay_seconds, s.event_number, s.created_at,
    s.workflow_id as submission_workflow_id, s.status as submission_status, s.completed_at as submission_completed_at,
    a.asset_id, a.submission_id, a.workspace_id, a.position, a.media_id, a.filename, a.content_type, a.size_bytes,
    a.sha256, a.version_group_id, a.version_number, a.status, a.workflow_id, a.progress_percent, a.issue_count,
    a.error_message, a.error_type, a.is_retryable, a.retry_count, a.counted_retries, a.run, a.crashes, a.credits_held,
    a.completed_at
  from submissions s
    join workspaces w on w.workspace_id = s.workspace_id
    join assets a on a.submission_id = s.submission_id and a.workspace_id = s.workspace_id
    join media m on m.media_id = a.media_id
  where s.submission_id = $1 and s.workspace_id = $2
  order by a.position`;
