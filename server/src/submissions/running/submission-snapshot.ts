import type { Kysely } from "kysely";
import { runPrepared } from "../../db/prepared.ts";
import type { Tables } from "../../db/tables.ts";
import type { Asset, Submission } from "../submission.ts";

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
  const [row] = await runPrepared<SnapshotRow>(db, snapshotQuery, [submissionId, workspaceId]);
  return row && snapshotOf(row);
}

export function snapshotOf({ version, isMetered, submission, assets }: SnapshotRow): SubmissionSnapshot {
  return {
    version,
    isMetered,
    submission: {
      ...submission,
      createdAt: new Date(submission.createdAt),
      completedAt: dateOf(submission.completedAt),
    },
    assets: assets.map(({ asset }) => ({ ...asset, completedAt: dateOf(asset.completedAt) })),
    media: new Map(assets.map(({ asset: { assetId }, media }) => [assetId, media])),
  };
}

/** The asset that the worker's run is about; undefined once another worker has started on it. */
export function findCurrentRun(state: SubmissionSnapshot, { assetId, run }: { assetId: string; run: number }) {
  return state.assets.find((asset) => asset.assetId === assetId && asset.run === run);
}

/** What `snapshotQuery` gives. */
export type SnapshotRow = {
  version: string;
  isMetered: boolean;
  submission: AsJson<Submission>;
  assets: { asset: AsJson<Asset>; media: { reference: string; etag: string } }[];
};

/** As JSON tells it. */
type AsJson<T> = { [Key in keyof T]: T[Key] extends Date | null ? string | Exclude<T[Key], Date> : T[Key] };

function dateOf(told: string | null): Date | null {
  return told === null ? null : new Date(told);
}

/**
 * Of the submission $1 of the workspace $2. Every change writes the submission's row: the transaction that wrote it last
 * is the version of all of it. As JSON, because three dozen columns take the client longer than the query takes the server.
 */
export const snapshotQuery = `
  select s.xmin::text as version, w.credit_balance is not null as is_metered,
    jsonb_build_object('submissionId', s.submission_id, 'workspaceId', s.workspace_id, 'mode', s.mode,
      'metadata', s.metadata, 'sidekickIds', s.sidekick_ids, 'simulationDelaySeconds', s.simulation_delay_seconds,
      'eventNumber', s.event_number, 'createdAt', s.created_at, 'workflowId', s.workflow_id, 'status', s.status,
      'completedAt', s.completed_at) as submission,
    (select jsonb_agg(jsonb_build_object('media', jsonb_build_object('reference', m.reference, 'etag', m.etag),
        'asset', jsonb_build_object('assetId', a.asset_id,
        'submissionId', a.submission_id, 'workspaceId', a.workspace_id, 'position', a.position, 'mediaId', a.media_id,
        'filename', a.filename, 'contentType', a.content_type, 'sizeBytes', a.size_bytes, 'sha256', a.sha256,
        'versionGroupId', a.version_group_id, 'versionNumber', a.version_number, 'status', a.status,
        'workflowId', a.workflow_id, 'progressPercent', a.progress_percent, 'issueCount', a.issue_count,
        'errorMessage', a.error_message, 'errorType', a.error_type, 'isRetryable', a.is_retryable,
        'retryCount', a.retry_count, 'countedRetries', a.counted_retries, 'run', a.run, 'crashes', a.crashes,
        'creditsHeld', a.credits_held, 'completedAt', a.completed_at)) order by a.position)
      from assets a join media m on m.media_id = a.media_id
      where a.submission_id = s.submission_id and a.workspace_id = s.workspace_id) as assets
  from submissions s join workspaces w on w.workspace_id = s.workspace_id
  where s.submission_id = $1 and s.workspace_id = $2`;
