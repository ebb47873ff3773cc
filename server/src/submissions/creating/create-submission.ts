import type { Kysely } from "kysely";
import type { App } from "../../app.ts";
import { writeAudit } from "../../audit/record-audit.ts";
import type { Mode, Status, Tables } from "../../db/tables.ts";
import { uuidv7 } from "../../db/uuid.ts";
import { Failure } from "../../failure.ts";
import { enqueueSimulation } from "../../queue/simulation-queue.ts";
import { checkBytes, checkSize, findBlob, type HeldBlob } from "../../uploads/find-blob.ts";
import { freezeBlob, type FrozenBlob } from "../../uploads/freeze-upload.ts";
import { carryOutRemovals, planRemovals } from "../../uploads/removals.ts";
import type { Caller } from "../../workspaces/caller.ts";
import { beginIdempotent, keepAnswer, type IdempotentRequest } from "../../workspaces/idempotency.ts";
import { parseRehearsal } from "../rehearsal.ts";
import { insertSubmission } from "./insert-submission.ts";
import { invalidAsset, nameAssetInError } from "./invalid-asset.ts";
import { chooseSidekicks } from "./sidekicks.ts";
import { linkVersions, type VersionLink } from "./version-groups.ts";

export type NewSubmission = {
  assets: { blobPath: string; previousSubmissionId?: string | null | undefined }[];
  sidekickIds?: string[] | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  simulationDelaySeconds: number;
};

export type CreatedSubmission = {
  submissionId: string;
  workflowId: string;
  realtimeChannel: string;
  status: Status;
  assets: { assetId: string; versionGroupId: string; versionNumber: number }[];
};

/** Checks everything in the order callers rely on, freezes the bytes, then makes rows and jobs in one transaction. */
export async function createSubmission(
  app: App,
  options: { caller: Caller; submission: NewSubmission; idempotent: IdempotentRequest | undefined },
): Promise<CreatedSubmission> {
  const { caller, submission } = options;
  const { workspaceId, mode } = caller;
  checkMetadata(submission.metadata);
  if (mode === "sandbox") parseRehearsal(submission.metadata, { assetCount: submission.assets.length });
  const sidekickIds = await chooseSidekicks(app, { workspaceId, sidekickIds: submission.sidekickIds ?? undefined });
  const { frozen, links } = await takeAssets(app, { workspaceId, mode, assets: submission.assets });
  try {
    const created = await insert(app, { ...options, sidekickIds, frozen, links });
    app.auditChain.soon(workspaceId);
    return created;
  } catch (error) {
    if (error instanceof Failure && error.code === "invalid_blob_path") await removeUnowned(app, frozen);
    throw error;
  }
}

/** Bytes that were frozen just after a deletion had removed their upload: nobody else would ever remove them. */
async function removeUnowned(app: App, frozen: readonly FrozenBlob[]): Promise<void> {
  for (const { upload } of frozen) {
    const row = await app.db
      .selectFrom("uploads")
      .select("uploadId")
      .where("uploadId", "=", upload.uploadId)
      .where("workspaceId", "=", upload.workspaceId)
      .executeTakeFirst();
    if (row) continue;
    const removals = [{ kind: "upload", objectKey: upload.objectKey }] as const;
    await carryOutRemovals(app, await planRemovals(app.db, { removals, now: app.now() }));
  }
}

/** Looks at all assets before it freezes one, so that nothing is kept of a submission that is refused. */
async function takeAssets(
  app: App,
  { workspaceId, mode, assets }: { workspaceId: string; mode: Mode; assets: NewSubmission["assets"] },
): Promise<{ frozen: FrozenBlob[]; links: VersionLink[] }> {
  await using stack = new AsyncDisposableStack();
  const blobs: HeldBlob[] = [];
  for (const [index, blobPath] of blobPathsOf(assets).entries()) {
    const blob = await nameAssetInError(index, () => findBlob(app, { workspaceId, blobPath }));
    stack.use(blob.held);
    blobs.push(blob);
  }
  const links = await linkVersions(app, {
    workspaceId,
    mode,
    assets: assets.map(({ previousSubmissionId }, index) => ({
      filename: blobs[index]?.upload.filename ?? "",
      previousSubmissionId: previousSubmissionId ?? undefined,
    })),
  });
  for (const [index, blob] of blobs.entries()) await nameAssetInError(index, () => checkSize(blob));
  for (const [index, blob] of blobs.entries()) await nameAssetInError(index, () => checkBytes(blob));
  return { frozen: await Promise.all(blobs.map(freezeBlob)), links };
}

async function insert(
  app: App,
  options: {
    caller: Caller;
    submission: NewSubmission;
    idempotent: IdempotentRequest | undefined;
    sidekickIds: string[];
    frozen: FrozenBlob[];
    links: VersionLink[];
  },
): Promise<CreatedSubmission> {
  const { caller, submission, idempotent, sidekickIds, frozen, links } = options;
  const { workspaceId, mode, actor } = caller;
  const createdAt = app.now();
  const submissionId = uuidv7(createdAt.getTime());
  const workflowId = newWorkflowId();

  const rows = {
    submissionId,
    workspaceId,
    mode,
    workflowId,
    metadata: submission.metadata ?? null,
    sidekickIds,
    simulationDelaySeconds: submission.simulationDelaySeconds,
    createdAt,
    actorKind: actor.kind,
    actorId: actor.id,
    audit: writeAudit({
      workspaceId,
      actor,
      now: createdAt,
      changes: [
        {
          action: "submission.created",
          target: { kind: "submission", id: submissionId },
          detail: { mode, assetCount: frozen.length },
        },
      ],
    }),
    assets: frozen.map((blob, position) => ({ blob, link: links[position] ?? null })),
    knownBacklog: app.knownBacklogs.of(workspaceId),
  };
  const create = async (db: Kysely<Tables>) => {
    const assets = await insertSubmission(db, rows);
    const counted = rows.knownBacklog === null ? (assets[0]?.waiting ?? 0) : null;
    if (mode === "live") app.knownBacklogs.note(workspaceId, { counted, added: assets.length });
    return describeCreated({ submissionId, workflowId, status: "submitted", assets });
  };
  // One statement needs no transaction, which would take two round trips more.
  if (mode === "live" && !idempotent) return create(app.db);

  return app.db.transaction().execute(async (trx) => {
    if (idempotent) await beginIdempotent(app, trx, idempotent);
    const created = await create(trx);
    if (mode === "sandbox") await enqueueSimulation(app.queue, trx, { submissionId, workspaceId, workflowId });
    if (idempotent) await keepAnswer(app, trx, { request: idempotent, answer: { status: 201, body: created } });
    return created;
  });
}

export function newWorkflowId(): string {
  return `wf_${uuidv7().replaceAll("-", "")}`;
}

export function describeCreated(options: {
  submissionId: string;
  workflowId: string;
  status: Status;
  assets: { assetId: string; versionGroupId: string; versionNumber: number }[];
}): CreatedSubmission {
  const { submissionId, workflowId, status } = options;
  return {
    submissionId,
    workflowId,
    realtimeChannel: `private-submission-${submissionId}`,
    status,
    assets: options.assets.map(({ assetId, versionGroupId, versionNumber }) => ({
      assetId,
      versionGroupId,
      versionNumber,
    })),
  };
}

function blobPathsOf(assets: NewSubmission["assets"]): string[] {
  const paths = assets.map(({ blobPath }) => blobPath.normalize("NFC"));
  for (const [index, path] of paths.entries())
    if (paths.indexOf(path) < index)
      throw invalidAsset(index, "blobPath", "is the same as that of an earlier asset of this submission");
  return paths;
}

const maxMetadataBytes = 16 * 1024;
const deepestMetadata = 20;

function checkMetadata(metadata: Record<string, unknown> | null | undefined): void {
  if (!metadata) return;
  const message =
    Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes
      ? "is larger than 16 KiB of JSON"
      : depthOf(metadata) > deepestMetadata
        ? "is nested more than 20 deep"
        : undefined;
  if (message)
    throw new Failure("invalid_request", `The request body is not valid: metadata ${message}.`, {
      details: [{ path: "metadata", message }],
    });
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
