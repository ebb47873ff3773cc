import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import type pg from "pg";
import { recordAnalysis } from "../submissions/running/record-analysis.ts";
import { startAsset } from "../submissions/running/start-asset.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { analysisQueues } from "./queues.ts";

let service: TestService;
before(async () => {
  // Without a worker, which would take the jobs away.
  service = await startTestService({ role: "api" });
});
after(() => service[Symbol.asyncDispose]());

test("the jobs of a submission are the rows, and wake as the notification, that pg-boss itself would make", async () => {
  const { app } = service;
  const workspace = await service.newWorkspace();
  const assets = [
    { blobPath: await workspace.upload({ filename: "first.txt" }) },
    { blobPath: await workspace.upload({ filename: "second.txt" }) },
  ];
  const client = await app.pool.connect();
  try {
    const { channel } = await listenToQueues(client);

    const woken = once(client, "notification");
    const created = await workspace.call("POST", "/submissions", { body: { assets } });

    assert.equal(created.status, 201, created.text);
    const [notification] = (await woken) as [pg.Notification];
    const ours = await readJobs(client);
    assert.deepEqual(
      ours.map(({ priority }) => priority),
      [0, -1],
    );
    const wokenByBoss = once(client, "notification");
    for (const { name, data, priority } of ours) await app.queue.boss.insert(name, [{ data, priority }]);
    assert.deepEqual(await readJobs(client, { after: 2 }), ours);
    const [{ channel: bossChannel, payload }] = (await wokenByBoss) as [pg.Notification];
    assert.deepEqual([notification.channel, notification.payload], [bossChannel, payload]);
    assert.equal(notification.channel, channel);
  } finally {
    client.release(true);
  }
});

test("nothing stays of a submission whose upload is removed in the moment it is taken", async () => {
  const { app } = service;
  const workspace = await service.newWorkspace();
  const body = { assets: [{ blobPath: await workspace.upload({ filename: "taken.txt" }) }] };
  const first = await workspace.call("POST", "/submissions", { body });
  assert.equal(first.status, 201, first.text);
  const count = async () => {
    const { rows } = await app.pool.query<Record<string, number>>(
      `select (select count(*) from submissions) as submissions, (select count(*) from assets) as assets,
        (select count(*) from pgboss.job) as jobs, (select count(*) from realtime_messages) as messages`,
    );
    return rows[0];
  };
  // As retention does it, but for the object, which a creation may have found just before.
  await app.pool.query("update media set removed_at = now() where workspace_id = $1", [workspace.workspaceId]);
  const before = await count();

  const again = await workspace.call("POST", "/submissions", { body });

  assert.deepEqual([again.status, again.json["error_code"]], [403, "invalid_blob_path"]);
  assert.match(again.text, /taken\.txt was removed just now/);
  assert.deepEqual(await count(), before);
});

test("each asset of a workspace with many waiting has the place behind the one before", async () => {
  const { app } = service;
  const workspace = await service.newWorkspace();
  const create = async (filename: string) =>
    (await workspace.submit({ assets: [{ blobPath: await workspace.upload({ filename }) }] })).submissionId;
  const first = await create("first.txt");
  await app.pool.query(
    `insert into assets (asset_id, submission_id, workspace_id, position, media_id, filename, content_type, size_bytes,
        sha256, version_group_id, version_number, status, workflow_id)
      select gen_random_uuid(), submission_id, workspace_id, n, media_id, filename, content_type, size_bytes,
          sha256, version_group_id, n + 1, status, workflow_id
        from assets, generate_series(1, 119) n where submission_id = $1`,
    [first],
  );

  const ids = [await create("second.txt"), await create("third.txt"), await create("fourth.txt")];

  const { rows } = await app.pool.query<{ behind: number }>(
    `select (select max(priority) from pgboss.job where name = 'analyze-small-asset') - priority as behind
      from pgboss.job where data ->> 'submissionId' = any($1) order by created_on`,
    [ids],
  );
  assert.deepEqual(
    rows.map(({ behind }) => behind),
    [120, 121, 122],
  );
});

test("a result completes its job as pg-boss itself would, and one that may not be stored leaves it", async () => {
  const { app } = service;
  const workspace = await service.newWorkspace();
  const { workspaceId } = workspace;
  await app.pool.query("delete from pgboss.job where name like 'analyze-%'");
  const take = async () => {
    const { submissionId, workflowId, assets } = await workspace.submit({
      assets: [{ blobPath: await workspace.upload() }],
    });
    const [job] = await app.queue.boss.fetch(analysisQueues.small);
    const ids = { submissionId, workspaceId, assetId: assets[0]?.assetId ?? "" };
    const run = await startAsset(app, { ...ids, workflowId });
    return { ids: { ...ids, run: run?.run ?? 0 }, taken: { queueName: analysisQueues.small, jobId: job?.id ?? "" } };
  };
  const columns = async (jobId: string) => {
    const { rows } = await app.pool.query<{ job: JobRow }>(
      `select to_jsonb(job) - '{id,data,created_on,start_after,started_on,completed_on,keep_until,heartbeat_on}'::text[]
          || jsonb_build_object('ended', completed_on >= started_on) as job from pgboss.job where id = $1`,
      [jobId],
    );
    return rows[0]?.job;
  };
  const result = { findings: [], measurements: {}, context: {} };

  const ours = await take();
  assert.equal(await recordAnalysis(app, { ...ours.ids, result, taken: ours.taken }), true);

  const theirs = await take();
  await app.queue.boss.complete(theirs.taken.queueName, theirs.taken.jobId);
  const completed = await columns(ours.taken.jobId);
  assert.equal(completed?.["state"], "completed");
  assert.deepEqual(completed, await columns(theirs.taken.jobId));
  const lost = await take();
  const late = { ...lost.ids, run: lost.ids.run - 1 };
  assert.equal(await recordAnalysis(app, { ...late, result, taken: lost.taken }), false);
  assert.equal((await columns(lost.taken.jobId))?.["state"], "active");
});

type JobRow = { name: string; data: object; priority: number; [column: string]: unknown };

/** All that does not differ from job to job; times as their distance from the creation. */
async function readJobs(client: pg.PoolClient, { after: skipped } = { after: 0 }): Promise<JobRow[]> {
  const { rows } = await client.query<{ job: JobRow }>(
    `select to_jsonb(job) - '{id,created_on,start_after,keep_until}'::text[] || jsonb_build_object(
        'starts', job.start_after - job.created_on, 'kept', job.keep_until - job.created_on) as job
      from pgboss.job where name like 'analyze-%' order by created_on, priority desc offset $1`,
    [skipped],
  );
  return rows.map(({ job }) => job);
}

async function listenToQueues(client: pg.PoolClient): Promise<{ channel: string }> {
  const { rows } = await client.query<{ channel: string }>(
    `select 'pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24) as channel`,
  );
  const channel = rows[0]?.channel ?? "";
  await client.query(`listen ${channel}`);
  return { channel };
}
