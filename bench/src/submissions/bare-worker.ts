import { uuidv7 } from "@greenlit/server/db/uuid.ts";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { servePart } from "../part.ts";
import { fillAssets, type FilledAsset } from "./fill-assets.ts";
import { createPace } from "./pace.ts";

export type BareWorker = {
  argument: { databaseUrl: string; slots: number };
  ready: null;
  commands: {
    fill(count: number): Promise<void>;
    /** Gives the jobs a second once so many were done. Once in a process. */
    work(count: number): Promise<number>;
  };
};

const queue = "bare";
const workspaceId = "ws_bare";

/**
 * The limit of working assets off: pg-boss as it comes, and between taking a job and completing it the two commits of an
 * asset, its start and its result, with the same rows and notifications, each by one prepared statement.
 */
servePart<BareWorker>(async ({ databaseUrl, slots }, stack) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  stack.defer(() => pool.end());
  const boss = new PgBoss({ connectionString: databaseUrl, max: 4, useListenNotify: true });
  boss.on("error", (error) => process.stderr.write(`bare pg-boss: ${error.message}\n`));
  await boss.start();
  stack.defer(() => boss.stop({ graceful: false }));
  await boss.createQueue(queue, { notify: true, heartbeatSeconds: 10 });

  async function analyze({ assetId, submissionId }: FilledAsset): Promise<void> {
    const ids = [submissionId, assetId, workspaceId];
    await pool.query({ name: "start", text: statements.start, values: [...ids, message(submissionId, "processing")] });
    const body = JSON.stringify({ type: "asset.processing.completed", data: { submissionId, assetId, workspaceId } });
    await pool.query({
      name: "end",
      text: statements.end,
      values: [...ids, message(submissionId, "complete"), uuidv7(), body, uuidv7()],
    });
  }

  return {
    ready: null,
    commands: {
      async fill(count) {
        const [mediaId, uploadId] = [uuidv7(), uuidv7()];
        await pool.query(statements.workspace, [workspaceId]);
        await pool.query(statements.media, [mediaId, uploadId, workspaceId]);
        for await (const batch of fillAssets({ pool }, { workspaceId, mediaId, status: "submitted", count }))
          await boss.insert(
            queue,
            batch.map((data) => ({ data })),
          );
      },
      async work(count) {
        const pace = createPace(count);
        for (let slot = 0; slot < slots; slot++) {
          const id = await boss.work<FilledAsset>(queue, { pollingIntervalSeconds: 1 }, async ([job]) => {
            pace.count();
            if (job) await analyze(job.data);
            // Otherwise a worker sleeps a whole polling interval after each job.
            setImmediate(() => boss.notifyWorker(id));
          });
        }
        return pace.perSecond;
      },
    },
  };
});

function message(submissionId: string, status: string): string {
  return JSON.stringify({ submissionId, status });
}

const statements = {
  workspace: `insert into workspaces (workspace_id, name, plan) values ($1, 'bare', 'scale') on conflict do nothing`,
  media: `with upload as (
      insert into uploads (upload_id, workspace_id, filename, content_type, object_key, issued_at)
        values ($2, $3, 'note.txt', 'text/plain', $2::uuid::text, now())
    ) insert into media (media_id, workspace_id, upload_id, source_etag, reference, etag, size_bytes)
      values ($1, $3, $2, 'a', 'bare', 'a', 14)`,
  start: `with asset as (
      update assets set status = 'processing', run = run + 1 where asset_id = $2 and workspace_id = $3
    ), submission as (
      update submissions set status = 'processing', event_number = event_number + 1
        where submission_id = $1 and workspace_id = $3 returning event_number
    ), message as (
      insert into realtime_messages (submission_id, event_number, workspace_id, event, data, created_at)
        select $1, event_number, $3, 'submission.status', $4, now() from submission
    ) select pg_notify('greenlit_messages', $3 || ' ' || $1)`,
  end: `with asset as (
      update assets set status = 'complete', issue_count = 0, progress_percent = 100, completed_at = now()
        where asset_id = $2 and workspace_id = $3
        returning filename, content_type, version_group_id, version_number
    ), submission as (
      update submissions set status = 'complete', completed_at = now(), event_number = event_number + 2
        where submission_id = $1 and workspace_id = $3 returning event_number
    ), message as (
      insert into realtime_messages (submission_id, event_number, workspace_id, event, data, created_at)
        select $1, event_number - 1 + place, $3, event, $4, now()
          from submission, (values (0, 'asset.completed'), (1, 'submission.status')) as told (place, event)
    ), result as (
      insert into asset_results (asset_id, workspace_id, measurements, context) values ($2, $3, '{}', '{}')
    ), review as (
      insert into reviews (review_id, asset_id, submission_id, workspace_id, mode, state, filename, content_type,
          version_group_id, version_number, markets, critical_count, major_count, minor_count, info_count,
          undecided_count, opened_at, updated_at, terms)
        select $7::uuid, $2, $1, $3, 'live', 'awaiting_review', filename, content_type, version_group_id,
          version_number, '{}', 0, 0, 0, 0, 0, now(), now(), '{note,txt}' from asset
    ), rendering as (
      insert into rendering (asset_id, workspace_id, state) values ($2, $3, 'waiting')
    ), event as (
      insert into events (event_id, workspace_id, submission_id, asset_id, type, body, created_at)
        values ($5, $3, $1, $2, 'asset.processing.completed', $6, now())
    ) select pg_notify('greenlit_messages', $3 || ' ' || $1 || ' terminal')`,
};
