import type { Kysely } from "kysely";
import pg from "pg";
import { prepareStatement } from "../../db/prepared.ts";
import type { Mode, Tables } from "../../db/tables.ts";
import { uuidv7 } from "../../db/uuid.ts";
import type { Failure } from "../../failure.ts";
import { enqueueParts } from "../../queue/analysis-queue.ts";
import { uploadGone, type FrozenBlob } from "../../uploads/freeze-upload.ts";
import { submissionNotFound } from "../reading/read-submission.ts";
import type { VersionLink } from "./version-groups.ts";

type NewRows = {
  submissionId: string;
  workspaceId: string;
  mode: Mode;
  workflowId: string;
  metadata: Record<string, unknown> | null;
  sidekickIds: string[];
  simulationDelaySeconds: number;
  createdAt: Date;
  actorKind: "key" | "person";
  actorId: string;
  /** What the audit keeps of it. */
  audit: string;
  assets: { blob: FrozenBlob; link: VersionLink }[];
  /** How many assets of the workspace wait, or null to have them counted. */
  knownBacklog: number | null;
};

type InsertedAsset = {
  assetId: string;
  versionGroupId: string;
  versionNumber: number;
  /** Assets of the workspace that wait before those of this submission; null where none of them waits. */
  waiting: number | null;
};

/**
 * All rows of a new submission in one statement: its own, the assets, the frozen bytes, the versions, the first message
 * (nobody can follow its channel yet, so nobody is notified), and the jobs of a live one.
 */
export async function insertSubmission(db: Kysely<Tables>, rows: NewRows): Promise<InsertedAsset[]> {
  const { submissionId, workspaceId, createdAt, metadata } = rows;
  const assets = rows.assets.map(({ blob, link }, position) => ({
    assetId: uuidv7(createdAt.getTime()),
    mediaId: uuidv7(createdAt.getTime()),
    versionGroupId: link?.versionGroupId ?? uuidv7(createdAt.getTime()),
    isNewGroup: link === null,
    position,
    uploadId: blob.upload.uploadId,
    sourceEtag: blob.object.etag,
    reference: blob.reference,
    etag: blob.frozenEtag,
    filename: blob.upload.filename,
    contentType: blob.upload.contentType,
    sizeBytes: blob.object.sizeBytes,
    sha256: blob.object.sha256,
  }));
  try {
    const { mode, workflowId, sidekickIds, simulationDelaySeconds, actorKind, actorId, audit, knownBacklog } = rows;
    return await insertAll(db, {
      submissionId,
      workspaceId,
      mode,
      workflowId,
      metadata: metadata && JSON.stringify(metadata),
      sidekickIds,
      simulationDelaySeconds,
      createdAt,
      actorKind,
      actorId,
      audit,
      knownBacklog,
      assets: JSON.stringify(assets),
    });
  } catch (error) {
    throw refusalOf(error, rows) ?? error;
  }
}

const groupMissing = "no version group";

// The foreign key of `media` locks the upload's row, so that housekeeping cannot remove an upload in the moment it is
// taken; one whose retention ended meanwhile is refused. The groups are locked in one order, so that two submissions
// never wait for each other; their rows stay locked until the transaction ends, so that two versions at once get two
// numbers. A group goes only with its workspace, and then the caller's key is gone too.
const insertAll = prepareStatement<
  Omit<NewRows, "assets" | "metadata"> & { metadata: string | null; assets: string },
  InsertedAsset
>(`
  with new as materialized (
    select * from jsonb_to_recordset(:assets) as new ("assetId" uuid, "mediaId" uuid, "versionGroupId" uuid,
      "isNewGroup" boolean, position integer, "uploadId" uuid, "sourceEtag" text, reference text, etag text,
      filename text, "contentType" text, "sizeBytes" bigint, sha256 text)
  ), submission as (
    insert into submissions (submission_id, workspace_id, mode, workflow_id, status, metadata, sidekick_ids,
        simulation_delay_seconds, event_number, created_at, actor_kind, actor_id)
      values (:submissionId, :workspaceId, :mode, :workflowId, 'submitted', :metadata, :sidekickIds, :simulationDelaySeconds, 1, :createdAt, :actorKind, :actorId)
  ), message as (
    insert into realtime_messages (submission_id, workspace_id, event_number, event, data, created_at)
      values (:submissionId, :workspaceId, 1, 'submission.status', jsonb_build_object('submissionId', :submissionId::uuid, 'status', 'submitted'), :createdAt)
  ), frozen as (
    insert into media (media_id, workspace_id, upload_id, source_etag, reference, etag, size_bytes, sha256)
      select "mediaId", :workspaceId, "uploadId", "sourceEtag", reference, etag, "sizeBytes", sha256 from new order by "uploadId"
      on conflict (upload_id, source_etag) do update set etag = media.etag
      returning media_id, upload_id, reference, etag, removed_at
  ), new_group as (
    insert into version_groups (version_group_id, workspace_id, last_version_number)
      select "versionGroupId", :workspaceId, 1 from new where "isNewGroup"
      returning version_group_id, last_version_number
  ), locked as materialized (
    select version_group_id from version_groups
      where workspace_id = :workspaceId and version_group_id in (select "versionGroupId" from new where not "isNewGroup")
      order by version_group_id for update
  ), continued as (
    update version_groups set last_version_number = last_version_number + 1
      from locked where version_groups.version_group_id = locked.version_group_id
      returning version_groups.version_group_id, last_version_number
  ), version as (
    select * from new_group union all select * from continued
  ), asset as (
    insert into assets (asset_id, submission_id, workspace_id, position, media_id, filename, content_type, size_bytes,
        sha256, version_group_id, version_number, status, workflow_id)
      select "assetId", :submissionId, :workspaceId, position, media_id, filename, "contentType", "sizeBytes", sha256, version_group_id,
          last_version_number, 'submitted', :workflowId
        from new join frozen on upload_id = "uploadId" join version on version_group_id = "versionGroupId"
      returning asset_id, media_id, size_bytes, version_group_id, version_number, position
  ), ${enqueueParts(":mode = 'live'")}, checked as materialized (
    select case
        when removed_upload_id is not null then refuse('removed ' || removed_upload_id)
        when assets < jsonb_array_length(:assets) then refuse('${groupMissing}')
        else true
      end as is_whole
      from (
        select (select upload_id from frozen where removed_at is not null limit 1) as removed_upload_id,
          (select count(*) from asset) as assets, (select count(*) from woken) as queues
      ) found where queues >= 0
  ), audited as (
    -- Not chained at once: from that to its commit each submission of the workspace would hold up the next.
    insert into audit_waiting (workspace_id, entry) select :workspaceId, entry from jsonb_array_elements(:audit::jsonb) as entry
  )
  select asset_id, version_group_id, version_number, case when :mode = 'live' then (select waiting from place) end as waiting
    from checked left join asset on true where is_whole order by position`);

/** Housekeeping or retention was faster; undefined when the error is another one. */
function refusalOf(error: unknown, rows: NewRows): Failure | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { code, message, detail = "" } = error;
  if (code === "GL001" && message === groupMissing) return submissionNotFound();
  const told = code === "GL001" ? message : error.constraint === "media_upload_id_fkey" ? detail : undefined;
  if (told === undefined) return undefined;
  return uploadGone(
    filenameOf(rows, (uploadId) => told.includes(uploadId)),
    error,
  );
}

function filenameOf({ assets }: NewRows, isIt: (uploadId: string) => boolean): string {
  return assets.find(({ blob }) => isIt(blob.upload.uploadId))?.blob.upload.filename ?? "A file of this submission";
}
