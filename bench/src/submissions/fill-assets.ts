import { randomUUID } from "node:crypto";
import type { App } from "@greenlit/server/app.ts";
import { Readable } from "node:stream";
import { createSubmission } from "@greenlit/server/submissions/creating/create-submission.ts";
import { declareFile } from "@greenlit/server/uploads/record-upload.ts";
import { storeDirectly } from "@greenlit/server/uploads/store-directly.ts";

const rowsAtOnce = 20_000;

/** Uploads a small file, and gives its blob path. */
export async function storeNote(
  app: App,
  { workspaceId, filename }: { workspaceId: string; filename: string },
): Promise<string> {
  const file = declareFile({ filename, contentType: "text/plain" });
  const body = Readable.from([Buffer.from("A plain note.\n")]);
  const { blobPath } = await storeDirectly(app, { workspaceId, file, body });
  return blobPath;
}

/** A submission through the whole verb; the rows that are filled in after it share its bytes. */
export async function submitNote(
  app: App,
  workspaceId: string,
): Promise<{ mediaId: string; media: { reference: string; etag: string } }> {
  const blobPath = await storeNote(app, { workspaceId, filename: "shared.txt" });
  const { submissionId } = await createSubmission(app, {
    caller: {
      mode: "live",
      workspaceId,
      plan: "scale",
      actor: { kind: "key", id: randomUUID(), name: null, role: "admin", markets: null },
    },
    submission: { assets: [{ blobPath }], simulationDelaySeconds: 0 },
    idempotent: undefined,
  });
  const { mediaId, ...media } = await app.db
    .selectFrom("assets")
    .innerJoin("media", "media.mediaId", "assets.mediaId")
    .select(["media.mediaId", "reference", "etag"])
    .where("submissionId", "=", submissionId)
    .where("assets.workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return { mediaId, media };
}

export type FilledAsset = { assetId: string; submissionId: string; workspaceId: string; workflowId: string };

/** Submissions of one asset each, as rows and far faster than by the verb. What is given back is one batch at a time. */
export async function* fillAssets(
  { pool }: Pick<App, "pool">,
  options: { workspaceId: string; mediaId: string; status: "submitted" | "complete"; count: number },
): AsyncGenerator<FilledAsset[]> {
  const { workspaceId, mediaId, status, count } = options;
  // The service's own connections give up on a statement after 30 s, which a busy machine may need for a batch.
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    for (let done = 0; done < count; done += rowsAtOnce) {
      const { rows } = await client.query<{ asset_id: string; submission_id: string; workflow_id: string }>(
        fillStatement,
        [workspaceId, mediaId, status, Math.min(rowsAtOnce, count - done)],
      );
      yield rows.map((row) => ({
        assetId: row.asset_id,
        submissionId: row.submission_id,
        workspaceId,
        workflowId: row.workflow_id,
      }));
    }
    await client.query("analyze submissions, assets, version_groups");
  } finally {
    client.release(true);
  }
}

const fillStatement = `
  with made as materialized (
    select uuidv7() as submission_id, uuidv7() as asset_id, uuidv7() as version_group_id,
      'wf_' || replace(uuidv7()::text, '-', '') as workflow_id
    from generate_series(1, $4::int)
  ), version_groups_made as (
    insert into version_groups (version_group_id, workspace_id, last_version_number)
    select version_group_id, $1::text, 1 from made
  ), submissions_made as (
    insert into submissions (submission_id, workspace_id, mode, workflow_id, status, sidekick_ids, created_at)
    select submission_id, $1, 'live', workflow_id, $3::text, '{}', now() from made
  )
  insert into assets (asset_id, submission_id, workspace_id, position, media_id, filename, content_type, size_bytes,
    sha256, version_group_id, version_number, status, workflow_id)
  select asset_id, made.submission_id, $1, 0, media_id, 'note.txt', 'text/plain', size_bytes, sha256,
    made.version_group_id, 1, $3, workflow_id
  from made cross join media where media_id = $2::uuid
  returning asset_id, submission_id, workflow_id`;
