import assert from "node:assert/strict";
import { test } from "node:test";
import { takeBackupLock } from "../backup/backup-lock.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { givenSubmission } from "../testing/given-submission.ts";
import { startTestService, type TestWorkspace } from "../testing/test-service.ts";
import { until } from "@greenlit/engine/testing/until.ts";
import { housekeeping } from "./housekeeping.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A service whose clock is turned on by days. */
async function startAgeing(env: Record<string, string>) {
  let days = 0;
  const service = await startTestService({ env, now: () => new Date(Date.now() + days * dayMs) });
  return {
    ...service,
    async pass(more: number): Promise<void> {
      days += more;
      await housekeeping(service.app);
    },
  };
}

async function finished(workspace: TestWorkspace, blobPath: string) {
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  await workspace.finish(submissionId);
  const path = `/submissions/${submissionId}`;
  return { path, submissionId, original: `${path}/assets/${assets[0]?.assetId}/original` };
}

async function statusOf(workspace: TestWorkspace, path: string): Promise<number> {
  return (await workspace.call("GET", path)).status;
}

test("everything is kept for ever unless the operator says otherwise", async () => {
  await using service = await startAgeing({});
  const workspace = await service.newWorkspace();
  const submission = await finished(workspace, await workspace.upload());

  await service.pass(3650);

  assert.equal(await statusOf(workspace, submission.path), 200);
  assert.equal(await statusOf(workspace, submission.original), 302);
});

test("a submission goes with its file once it ended that long ago; what still runs stays", async () => {
  await using service = await startAgeing({ GREENLIT_RETENTION_RESULTS: "30d" });
  const workspace = await service.newWorkspace();
  const { app } = service;
  const ended = await finished(workspace, await workspace.upload());
  const file = await app.db.selectFrom("media").select("reference").executeTakeFirstOrThrow();
  const running = await givenSubmission(app, workspace);

  await service.pass(29);
  const before = await statusOf(workspace, ended.path);
  await service.pass(2);

  assert.equal(before, 200);
  assert.equal(await statusOf(workspace, ended.path), 404);
  assert.equal(await statusOf(workspace, `/submissions/${running.submissionId}`), 200);
  assert.equal(await app.store.head(file.reference), null);
});

test("a file goes before its results, unless a younger submission uses it", async () => {
  await using service = await startAgeing({ GREENLIT_RETENTION_MEDIA: "7d" });
  const workspace = await service.newWorkspace();
  const [old, shared] = [
    await workspace.upload({ filename: "old.txt" }),
    await workspace.upload({ filename: "shared.txt", bytes: "Another note.\n" }),
  ];
  const [first, second] = [await finished(workspace, old), await finished(workspace, shared)];

  await service.pass(5);
  const third = await finished(workspace, shared);
  await service.pass(4);

  assert.equal(await statusOf(workspace, first.original), 404);
  assert.equal(await statusOf(workspace, first.path), 200);
  assert.deepEqual([await statusOf(workspace, second.original), await statusOf(workspace, third.original)], [302, 302]);
  const again = await workspace.call("POST", "/submissions", { body: { assets: [{ blobPath: old }] } });
  assert.deepEqual([again.status, again.json["error_code"]], [403, "invalid_blob_path"]);
  const [row] = await service.app.db.selectFrom("media").selectAll().where("removedAt", "is not", null).execute();
  assert.ok(row);
  assert.equal(await service.app.store.head(row.reference), null);
});

test("events go with their deliveries, and messages of ended submissions; what waits or runs stays", async () => {
  await using service = await startAgeing({ GREENLIT_RETENTION_EVENTS: "3d", GREENLIT_WEBHOOK_HTTP: "true" });
  const workspace = await service.newWorkspace();
  const { workspaceId } = workspace;
  const { app } = service;
  const ended = await finished(workspace, await workspace.upload());
  const running = await givenSubmission(app, workspace);
  await running.tell(["submission.status", { status: "processing" }]);
  const { json } = await workspace.call("POST", "/webhooks", {
    body: { url: "http://receiver.invalid/hook", eventTypes: ["asset.processing.failed"] },
  });
  const subscriptionId = String(json["subscriptionId"]);
  await app.db.transaction().execute((trx) =>
    recordEvent(trx, {
      workspaceId,
      type: "asset.processing.failed",
      data: {},
      submissionId: running.submissionId,
      assetId: running.assetId,
      now: app.now(),
    }),
  );

  const left = async () => {
    const events = await app.db.selectFrom("events").select("type").where("workspaceId", "=", workspaceId).execute();
    const messages = await app.db
      .selectFrom("realtimeMessages")
      .select("submissionId")
      .distinct()
      .where("workspaceId", "=", workspaceId)
      .execute();
    return { events: events.map(({ type }) => type), messagesOf: messages.map((row) => row.submissionId) };
  };
  const before = await left();
  await service.pass(4);
  const after = await left();
  await app.db
    .updateTable("deliveries")
    .set({ nextAttemptAt: null, status: "exhausted" })
    .where("subscriptionId", "=", subscriptionId)
    .execute();
  await service.pass(0);

  assert.deepEqual(before.events.toSorted(), ["asset.processing.completed", "asset.processing.failed"]);
  assert.deepEqual(before.messagesOf.toSorted(), [ended.submissionId, running.submissionId].toSorted());
  assert.deepEqual(after, { events: ["asset.processing.failed"], messagesOf: [running.submissionId] });
  assert.deepEqual((await left()).events, []);
  assert.deepEqual((await workspace.call("GET", `/webhooks/${subscriptionId}/deliveries`)).json["data"], []);
});

test("bytes that the store could not remove go once it is back", async () => {
  await using service = await startAgeing({});
  const workspace = await service.newWorkspace();
  const { app } = service;
  const ended = await finished(workspace, await workspace.upload());
  const file = await app.db.selectFrom("media").select("reference").executeTakeFirstOrThrow();
  const remove = app.store.remove.bind(app.store);
  app.store.remove = () => Promise.reject(new Error("connect ECONNREFUSED"));

  const deleted = await workspace.call("DELETE", ended.path);
  await service.pass(1);
  const leftBehind = await app.store.head(file.reference);
  app.store.remove = remove;
  await service.pass(1);

  assert.equal(deleted.status, 204);
  assert.notEqual(leftBehind, null);
  assert.equal(await app.store.head(file.reference), null);
  assert.deepEqual(await app.db.selectFrom("removals").selectAll().execute(), []);
});

test("the bytes of a deleted submission stay while a backup runs, and go after it", async () => {
  let minutes = 0;
  await using service = await startTestService({ role: "api", now: () => new Date(Date.now() + minutes * 60_000) });
  const workspace = await service.newWorkspace();
  const { app } = service;
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const { reference } = await app.db.selectFrom("media").select("reference").executeTakeFirstOrThrow();
  const backup = await app.pool.connect();
  await takeBackupLock(backup);

  const { status } = await workspace.call("DELETE", `/submissions/${submissionId}`);
  minutes += 2;
  await housekeeping(app);
  const during = await app.store.head(reference);
  backup.release(true);
  await until(async () => {
    await housekeeping(app);
    return (await app.store.head(reference)) === null;
  });

  assert.equal(status, 204);
  assert.notEqual(during, null);
  assert.deepEqual(await app.db.selectFrom("removals").selectAll().execute(), []);
});
