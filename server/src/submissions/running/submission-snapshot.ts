import type { Kysely } from "kysely";
import { prepareStatement } from "../../db/prepared.ts";
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
  const [row] = await selectSnapshot(db, { submissionId, workspaceId });
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

/** Every column by its property: one that is forgotten here does not compile, and would be lost in silence otherwise. */
const submissionColumns: Record<keyof Submission, string> = {
  submissionId: "submission_id",
  workspaceId: "workspace_id",
  mode: "mode",
  metadata: "metadata",
  sidekickIds: "sidekick_ids",
  simulationDelaySeconds: "simulation_delay_seconds",
  actorKind: "actor_kind",
  actorId: "actor_id",
  eventNumber: "event_number",
  createdAt: "created_at",
  workflowId: "workflow_id",
  status: "status",
  completedAt: "completed_at",
};

const assetColumns: Record<keyof Asset, string> = {
  assetId: "asset_id",
  submissionId: "submission_id",
  workspaceId: "workspace_id",
  position: "position",
  mediaId: "media_id",
  filename: "filename",
  contentType: "content_type",
  sizeBytes: "size_bytes",
  sha256: "sha256",
  versionGroupId: "version_group_id",
  versionNumber: "version_number",
  status: "status",
  workflowId: "workflow_id",
  progressPercent: "progress_percent",
  issueCount: "issue_count",
  errorMessage: "error_message",
  errorType: "error_type",
  isRetryable: "is_retryable",
  retryCount: "retry_count",
  countedRetries: "counted_retries",
  run: "run",
  crashes: "crashes",
  creditsHeld: "credits_held",
  completedAt: "completed_at",
};

const asJson = (table: string, columns: Record<string, string>) =>
  `jsonb_build_object(${Object.entries(columns)
    .map(([property, column]) => `'${property}', ${table}.${column}`)
    .join(", ")})`;

/**
 * Of the submission `:submissionId` of the workspace `:workspaceId`. Every change writes the submission's row: the
 * transaction that wrote it last is the version of all of it. As JSON, because three dozen columns take the client
 * longer than the query takes the server.
 */
export const snapshotQuery = `
  select s.xmin::text as version, w.credit_balance is not null as is_metered,
    ${asJson("s", submissionColumns)} as submission,
    (select jsonb_agg(jsonb_build_object('media', jsonb_build_object('reference', m.reference, 'etag', m.etag),
        'asset', ${asJson("a", assetColumns)}) order by a.position)
      from assets a join media m on m.media_id = a.media_id
      where a.submission_id = s.submission_id and a.workspace_id = s.workspace_id) as assets
  from submissions s join workspaces w on w.workspace_id = s.workspace_id
  where s.submission_id = :submissionId and s.workspace_id = :workspaceId`;

const selectSnapshot = prepareStatement<{ submissionId: string; workspaceId: string }, SnapshotRow>(snapshotQuery);
