import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runAnalysisInChild } from "@greenlit/engine/child.ts";
import { randomUUID } from "node:crypto";
import { analyzeAsset } from "../../jobs/analyze-asset.ts";
import { analysisQueues, lostQueue } from "../../queue/queues.ts";
import { failAsset } from "../../submissions/running/fail-asset.ts";
import { startAsset } from "../../submissions/running/start-asset.ts";
import { StoreError } from "../../storage/store.ts";
import { startTestService, type Created, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

/** Without workers: the test is the worker. */
let service: TestService;
before(async () => {
  service = await startTestService({ role: "api" });
});
after(() => service[Symbol.asyncDispose]());

/** Starts an asset, and fails it if told to. */
async function start(
  { workspaceId }: TestWorkspace,
  created: Created,
  position: number,
): Promise<{ fail(): Promise<void> }> {
  const { submissionId, workflowId } = created;
  const ids = { submissionId, workspaceId, assetId: created.assets[position]?.assetId ?? "" };
  const started = await startAsset(service.app, { ...ids, workflowId });
  const error = { errorType: "analyzer_timeout", errorMessage: "The analysis took too long." } as const;
  return { fail: () => failAsset(service.app, { ...ids, run: started?.run ?? 0, ...error }) };
}

test("404 asset_failed for every result of an asset that failed, with the reason; the asset itself is still there", async () => {
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await (await start(workspace, created, 0)).fail();
  const url = `/submissions/${created.submissionId}/assets/${created.assets[0]?.assetId}`;

  for (const result of [
    "issues",
    "topics",
    "measurements",
    "transcript",
    "diff",
    "search",
    "search?q=word",
    `issues/${randomUUID()}/frame`,
  ]) {
    const { status, json } = await workspace.call("GET", `${url}/${result}`);
    assert.deepEqual([status, json["error_code"]], [404, "asset_failed"], result);
    assert.match(String(json["message"]), /analyzer_timeout.+The analysis took too long/);
  }
  assert.deepEqual((await workspace.call("GET", url)).json["status"], "failed");
  assert.equal((await workspace.call("GET", `${url}/original`)).status, 302);
});

test("a retry answers with the status that the submission has: processing while another asset runs, else submitted", async () => {
  const workspace = await service.newWorkspace();
  const [a, b] = await Promise.all(["a.txt", "b.txt"].map((filename) => workspace.upload({ filename })));
  const created = await workspace.submit({ assets: [{ blobPath: a }, { blobPath: b }] });
  const [first, second] = [await start(workspace, created, 0), await start(workspace, created, 1)];
  const retry = (position: number) =>
    workspace.call("POST", `/submissions/${created.submissionId}/assets/${created.assets[position]?.assetId}/retry`);
  const read = () => workspace.call("GET", `/submissions/${created.submissionId}`);

  await first.fail();
  const beside = await retry(0);
  assert.deepEqual([beside.status, beside.json["status"]], [202, "processing"]);
  assert.equal((await read()).json["status"], "processing");
  await second.fail();
  const last = await retry(1);

  assert.deepEqual([last.status, last.json["status"]], [202, "submitted"]);
  assert.equal((await read()).json["status"], "submitted");
});

/** What the queue hands out. */
function jobOf({ workspaceId }: TestWorkspace, { submissionId, workflowId, assets }: Created) {
  return { assetId: assets[0]?.assetId ?? "", submissionId, workspaceId, workflowId };
}

const work = { signal: new AbortController().signal, runAnalysis: runAnalysisInChild };

test("an asset completes although the service died twelve times while it was analysed", async () => {
  await service.app.pool.query("delete from pgboss.job");
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const { boss } = service.app.queue;
  const job = jobOf(workspace, created);

  for (let death = 1; death <= 12; death++) {
    await service.app.pool.query("update pgboss.job set start_after = now() - interval '1s' where state = 'retry'");
    const [taken] = await boss.fetch<typeof job>(analysisQueues.small);
    assert.equal(taken?.data.assetId, job.assetId, `death ${death}`);
    await startAsset(service.app, job);
    // As the queue does when the heartbeat stays away.
    await boss.fail(analysisQueues.small, taken.id, { message: "job heartbeat timeout" });
  }
  await analyzeAsset(service.app, { ...work, job, scratch: service.app.config.dataDir });

  const done = await workspace.finish(created.submissionId);
  assert.deepEqual([done["status"], done.assets[0]?.["errorType"]], ["complete", null]);
  assert.deepEqual(await boss.fetch(lostQueue), []);
});

test("an error that nobody expected hands the asset back, and the tenth fails it as internal_error", async () => {
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const runAnalysis = () => Promise.reject(new Error("a bug"));
  const attempt = () =>
    analyzeAsset(service.app, {
      ...work,
      runAnalysis,
      job: jobOf(workspace, created),
      scratch: service.app.config.dataDir,
    });

  for (let count = 1; count < 10; count++) await assert.rejects(attempt(), { message: "a bug" });
  await attempt();

  const done = await workspace.finish(created.submissionId);
  assert.deepEqual([done.assets[0]?.["errorType"], done.assets[0]?.["isRetryable"]], ["internal_error", true]);
  assert.doesNotMatch(String(done.assets[0]?.["errorMessage"]), /bug/);
});

test("a store out of reach hands the asset back to the queue, which completes when the store is back", async () => {
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const open = () => Promise.reject(new StoreError("unavailable", "The object store did not answer."));
  const cutOff = { ...service.app, store: { ...service.app.store, open } };
  const job = { ...work, job: jobOf(workspace, created), scratch: service.app.config.dataDir };

  await assert.rejects(analyzeAsset(cutOff, job), { code: "unavailable" });
  await analyzeAsset(service.app, job);

  assert.equal((await workspace.finish(created.submissionId))["status"], "complete");
});

test("bytes that are missing in the store fail the asset as storage_unavailable, which may be retried", async () => {
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const { submissionId } = created;
  await rm(join(service.app.config.dataDir, "store"), { recursive: true });

  await analyzeAsset(service.app, { ...work, job: jobOf(workspace, created), scratch: service.app.config.dataDir });

  const { json } = await workspace.call("GET", `/submissions/${submissionId}`);
  const [asset] = json["assets"] as Record<string, unknown>[];
  assert.deepEqual(
    [json["status"], asset?.["errorType"], asset?.["isRetryable"]],
    ["failed", "storage_unavailable", true],
  );
  assert.match(String(asset?.["errorMessage"]), /operator/);
});
