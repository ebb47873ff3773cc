import type { App } from "../../app.ts";
import type { ErrorType, Mode, Status } from "../../db/tables.ts";
import { Failure } from "../../failure.ts";
import { mayRetry, submissionProgress } from "../state.ts";

export type AssetState = {
  assetId: string;
  filename: string;
  mimeType: string;
  sizeBytes: number;
  sha256: string | null;
  versionGroupId: string;
  versionNumber: number;
  status: Status;
  progressPercent: number;
  issueCount: number | null;
  errorMessage: string | null;
  errorType: ErrorType | null;
  isRetryable: boolean;
  retryCount: number;
};

export type SubmissionState = {
  submissionId: string;
  workflowId: string;
  workspaceId: string;
  mode: Mode;
  status: Status;
  progressPercent: number;
  createdAt: string;
  completedAt: string | null;
  errorMessage: string | null;
  isRetryable: boolean;
  metadata: Record<string, unknown> | null;
  sidekickIds: string[];
  assets: AssetState[];
};

type AssetRow = Omit<AssetState, "isRetryable"> & { countedRetries: number };

type SubmissionRow = {
  submission_id: string;
  workflow_id: string;
  workspace_id: string;
  mode: Mode;
  status: Status;
  created_at: Date;
  completed_at: Date | null;
  metadata: Record<string, unknown> | null;
  sidekick_ids: string[];
  assets: AssetRow[];
};

const selectState = `
  select s.submission_id, s.workflow_id, s.workspace_id, s.mode, s.status, s.created_at, s.completed_at, s.metadata,
    s.sidekick_ids, (
      select json_agg(json_build_object(
        'assetId', a.asset_id, 'filename', a.filename, 'mimeType', a.content_type, 'sizeBytes', a.size_bytes,
        'sha256', a.sha256, 'versionGroupId', a.version_group_id, 'versionNumber', a.version_number,
        'status', a.status, 'progressPercent', a.progress_percent, 'issueCount', a.issue_count,
        'errorMessage', a.error_message, 'errorType', a.error_type, 'retryCount', a.retry_count,
        'countedRetries', a.counted_retries
      ) order by a.position) from assets a where a.submission_id = s.submission_id
    ) as assets
  from submissions s`;

/** The status resource, in one named query: it is what pollers ask for all day. */
export async function readSubmission(
  app: App,
  { workspaceId, submissionId }: { workspaceId: string; submissionId: string },
): Promise<SubmissionState> {
  const { rows } = await app.pool.query<SubmissionRow>({
    name: "read_submission",
    text: `${selectState} where s.submission_id = $1 and s.workspace_id = $2`,
    values: [submissionId, workspaceId],
  });
  const row = rows[0];
  if (!row) throw submissionNotFound();
  return stateOf(row);
}

/** Newest first, after the submission that the cursor names. */
export async function listSubmissions(
  app: App,
  options: { workspaceId: string; status?: Status | undefined; after?: string | undefined; limit: number },
): Promise<SubmissionState[]> {
  const { rows } = await app.pool.query<SubmissionRow>(
    `${selectState} where s.workspace_id = $1
      and ($2::text is null or s.status = $2) and ($3::uuid is null or s.submission_id < $3)
      order by s.submission_id desc limit $4`,
    [options.workspaceId, options.status ?? null, options.after ?? null, options.limit],
  );
  return rows.map(stateOf);
}

export function submissionNotFound(): Failure {
  return new Failure("not_found", "There is no such submission in this workspace. Check the id and the key.");
}

function stateOf(row: SubmissionRow): SubmissionState {
  const assets = row.assets.map(({ countedRetries, ...asset }) => ({
    ...asset,
    isRetryable: mayRetry({ ...asset, countedRetries }),
  }));
  return {
    submissionId: row.submission_id,
    workflowId: row.workflow_id,
    workspaceId: row.workspace_id,
    mode: row.mode,
    status: row.status,
    progressPercent: submissionProgress(assets),
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
    errorMessage: row.status === "failed" ? failureSummary(assets) : null,
    isRetryable: row.status === "failed" && assets.some((asset) => asset.isRetryable),
    metadata: row.metadata,
    sidekickIds: row.sidekick_ids,
    assets,
  };
}

function failureSummary(assets: readonly AssetState[]): string {
  const failed = assets.filter(({ status }) => status === "failed");
  return `${failed.length} of ${assets.length} assets failed: ${failed[0]?.errorMessage ?? ""}`;
}
