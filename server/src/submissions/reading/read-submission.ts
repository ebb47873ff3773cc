import type pg from "pg";
import { type SharedReads, shareReads } from "../../db/shared-reads.ts";
import type { ErrorType, Mode, Status } from "../../db/tables.ts";
import type { Failure } from "../../failure.ts";
import { notFound } from "../../not-found.ts";
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

type SubmissionRow = Omit<SubmissionState, "progressPercent" | "errorMessage" | "isRetryable" | "assets"> & {
  assets: AssetRow[];
};

/** As one value: a row of many columns costs the driver more than the rest of the answer. */
const stateColumn = `
  json_build_object(
    'submissionId', s.submission_id, 'workflowId', s.workflow_id, 'workspaceId', s.workspace_id, 'mode', s.mode,
    'status', s.status, 'createdAt', ${isoTime("s.created_at")}, 'completedAt', ${isoTime("s.completed_at")},
    'metadata', s.metadata, 'sidekickIds', s.sidekick_ids, 'assets', (
      select json_agg(json_build_object(
        'assetId', a.asset_id, 'filename', a.filename, 'mimeType', a.content_type, 'sizeBytes', a.size_bytes,
        'sha256', a.sha256, 'versionGroupId', a.version_group_id, 'versionNumber', a.version_number,
        'status', a.status, 'progressPercent', a.progress_percent, 'issueCount', a.issue_count,
        'errorMessage', a.error_message, 'errorType', a.error_type, 'retryCount', a.retry_count,
        'countedRetries', a.counted_retries
      ) order by a.position) from assets a where a.submission_id = s.submission_id
    )
  ) as state`;

/** As `Date.toISOString` writes it. */
function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

type SubmissionKey = { workspaceId: string; submissionId: string };
export type SubmissionReads = SharedReads<SubmissionKey, SubmissionState>;

/** The status resource, in one named query: it is what pollers ask for all day. */
export function createSubmissionReads(pool: pg.Pool): SubmissionReads {
  return shareReads({
    atOnce: 2,
    maxKeys: 100,
    async read(keys) {
      const { rows } = await pool.query<{ state: SubmissionRow | null }>({
        name: "read_submissions",
        // The limit keeps it one look into the index for each key, whatever the planner thinks of the tables' sizes.
        text: `select found.state
          from unnest($1::uuid[], $2::text[]) with ordinality as wanted (submission_id, workspace_id, position)
          left join lateral (
            select ${stateColumn} from submissions s
            where s.submission_id = wanted.submission_id and s.workspace_id = wanted.workspace_id limit 1
          ) found on true
          order by wanted.position`,
        values: [keys.map(({ submissionId }) => submissionId), keys.map(({ workspaceId }) => workspaceId)],
      });
      return rows.map(({ state }) => state && stateOf(state));
    },
  });
}

export async function readSubmission(
  { submissionReads }: { submissionReads: SubmissionReads },
  key: SubmissionKey,
): Promise<SubmissionState> {
  const state = await submissionReads(key);
  if (!state) throw submissionNotFound();
  return state;
}

/** Newest first, after the submission that the cursor names. */
export async function listSubmissions(
  { pool }: { pool: pg.Pool },
  options: { workspaceId: string; status?: Status | undefined; after?: string | undefined; limit: number },
): Promise<SubmissionState[]> {
  const { rows } = await pool.query<{ state: SubmissionRow }>(
    `select ${stateColumn} from submissions s where s.workspace_id = $1
      and ($2::text is null or s.status = $2) and ($3::uuid is null or s.submission_id < $3)
      order by s.submission_id desc limit $4`,
    [options.workspaceId, options.status ?? null, options.after ?? null, options.limit],
  );
  return rows.map(({ state }) => stateOf(state));
}

export function submissionNotFound(): Failure {
  return notFound("submission");
}

function stateOf(row: SubmissionRow): SubmissionState {
  const assets = row.assets.map(({ countedRetries, ...asset }) => ({
    ...asset,
    isRetryable: mayRetry({ ...asset, countedRetries }),
  }));
  return {
    ...row,
    progressPercent: submissionProgress(assets),
    errorMessage: row.status === "failed" ? failureSummary(assets) : null,
    isRetryable: row.status === "failed" && assets.some((asset) => asset.isRetryable),
    assets,
  };
}

function failureSummary(assets: readonly AssetState[]): string {
  const failed = assets.filter(({ status }) => status === "failed");
  return `${failed.length} of ${assets.length} assets failed: ${failed[0]?.errorMessage ?? ""}`;
}
