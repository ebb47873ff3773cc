import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { until } from "@greenlit/engine/testing/until.ts";
import { openEvents } from "../../testing/event-reader.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

test("a sandbox submission passes through the states, has no results, and ends when its delay is over", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload({ mode: "sandbox" });
  const startedAt = Date.now();

  const answer = await workspace.call("POST", "/submissions?simulationDelaySeconds=2", {
    mode: "sandbox",
    body: { assets: [{ blobPath }] },
  });
  const submissionId = String(answer.json["submissionId"]);
  await using stream = await openEvents(
    `${service.url}/api/integrations/realtime/${String(answer.json["realtimeChannel"])}`,
    { "x-api-key": workspace.keys.sandbox, "last-event-id": "0" },
  );
  const events = await stream.readUntil();
  const elapsed = Date.now() - startedAt;
  const statuses = events.filter(({ event }) => event === "submission.status");
  const seen = new Set([answer.json["status"], ...statuses.map(({ message }) => message.data["status"])]);
  const done = await workspace.finish(submissionId);
  const url = `/submissions/${submissionId}/assets/${String(done.assets[0]?.["assetId"])}`;

  assert.deepEqual([...seen], ["submitted", "processing", "complete"]);
  assert.ok(elapsed >= 2000, `${elapsed} ms`);
  assert.deepEqual([done["mode"], done["progressPercent"], done.assets[0]?.["issueCount"]], ["sandbox", 100, null]);
  assert.deepEqual((await workspace.call("GET", url)).json["issues"], []);
  assert.deepEqual((await workspace.call("GET", `${url}/issues`)).json["total"], 0);
  const topics = (await workspace.call("GET", `${url}/topics`)).json;
  assert.deepEqual(Object.keys(topics), ["assetId", "topics", "orphanIssues", "metadata"]);
  assert.deepEqual([topics["topics"], topics["orphanIssues"]], [[], []]);
});

test("its end fires no webhook event", async () => {
  const workspace = await service.newWorkspace();
  const { submissionId } = await workspace.submit(
    { assets: [{ blobPath: await workspace.upload() }] },
    { mode: "sandbox" },
  );

  await workspace.finish(submissionId);

  const events = await service.app.db
    .selectFrom("events")
    .select("eventId")
    .where("submissionId", "=", submissionId)
    .execute();
  assert.deepEqual(events, []);
});

test("the fire endpoint counts each active matching subscription once for each asset, and changes no state", async () => {
  const workspace = await service.newWorkspace();
  const [a, b] = await Promise.all(["a.txt", "b.txt"].map((filename) => workspace.upload({ filename })));
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: a }, { blobPath: b }] }, { mode: "sandbox" });
  await workspace.finish(submissionId);
  const subscribe = (eventTypes: string[], isActive = true) =>
    insertSubscription(workspace.workspaceId, { eventTypes, isActive });
  await subscribe(["asset.processing.completed"]);
  await subscribe(["asset.processing.completed", "asset.processing.failed"]);
  await subscribe(["asset.processing.completed"], false);
  const fire = (eventType: string) =>
    workspace.call("POST", "/sandbox/events/fire", { mode: "sandbox", body: { eventType, submissionId } });

  const [completed, failed] = [await fire("asset.processing.completed"), await fire("asset.processing.failed")];

  assert.deepEqual([completed.status, completed.json], [200, { dispatched: 4 }]);
  assert.deepEqual(failed.json, { dispatched: 2 });
  assert.equal((await workspace.finish(submissionId))["status"], "complete");
  const rows = await service.app.db
    .selectFrom("events")
    .select(["type", "body"])
    .where("submissionId", "=", submissionId)
    .orderBy("eventId")
    .execute();
  assert.deepEqual(
    rows.map(({ type }) => type),
    ["asset.processing.completed", "asset.processing.completed", "asset.processing.failed", "asset.processing.failed"],
  );
  const body = rows[3]?.body as { type: string; data: Record<string, unknown> };
  assert.equal(body.type, "asset.processing.failed");
  assert.deepEqual(
    [body.data["status"], body.data["error_message"], body.data["error_type"], body.data["livemode"]],
    ["failed", "Sandbox simulated failure", "sandbox_simulated", false],
  );
  for (const key of ["asset_id", "submission_id", "workspace_id"]) assert.equal(typeof body.data[key], "string", key);
});

test("the fire endpoint: 403 for a live key before its body is looked at, 404 for an unknown submission, 422 for a malformed body", async () => {
  const workspace = await service.newWorkspace();
  const fire = (body: unknown, mode: "live" | "sandbox" = "sandbox") =>
    workspace.call("POST", "/sandbox/events/fire", { mode, body });

  const live = await fire("{", "live");
  const unknown = await fire({ eventType: "asset.processing.failed", submissionId: randomUUID() });
  const malformed = await Promise.all([
    fire({ eventType: "asset.deleted", submissionId: randomUUID() }),
    fire({ eventType: "asset.processing.failed", submissionId: "x" }),
    fire({ eventType: "asset.processing.failed" }),
  ]);

  assert.deepEqual([live.status, live.json["error_code"]], [403, "sandbox_key_required"]);
  assert.equal(unknown.status, 404);
  assert.deepEqual(
    malformed.map(({ status }) => status),
    [422, 422, 422],
  );
});

/** A sandbox submission of two assets with this metadata. */
async function submitTwo(workspace: TestWorkspace, metadata: unknown) {
  const [a, b] = await Promise.all(["a.txt", "b.txt"].map((filename) => workspace.upload({ filename })));
  const body = { assets: [{ blobPath: a }, { blobPath: b }], metadata };
  return workspace.call("POST", "/submissions", { mode: "sandbox", body });
}

test("metadata.sandbox rehearses a failure of the named assets without a webhook, and a retry completes", async () => {
  const workspace = await service.newWorkspace();
  await insertSubscription(workspace.workspaceId, { eventTypes: ["asset.processing.failed"], isActive: true });
  const sandbox = { outcome: "failed", errorType: "analyzer_timeout", failAssets: [0] };

  const { json } = await submitTwo(workspace, { campaign: "spring", sandbox });
  const submissionId = String(json["submissionId"]);
  const failed = await workspace.finish(submissionId);
  const url = `/submissions/${submissionId}/assets/${String(failed.assets[0]?.["assetId"])}`;
  const issues = await workspace.call("GET", `${url}/issues`);
  const retry = await workspace.call("POST", `${url}/retry`, { mode: "sandbox" });
  const again = await workspace.call("POST", `${url}/retry`, { mode: "sandbox" });
  const done = await workspace.finish(submissionId);

  assert.deepEqual(
    [failed["status"], failed["isRetryable"], failed["metadata"]],
    ["failed", true, { campaign: "spring", sandbox }],
  );
  assert.deepEqual(
    failed.assets.map((asset) => [asset["status"], asset["errorType"], asset["errorMessage"], asset["isRetryable"]]),
    [
      ["failed", "analyzer_timeout", "Sandbox simulated failure", true],
      ["complete", null, null, false],
    ],
  );
  assert.deepEqual([issues.status, issues.json["error_code"]], [404, "asset_failed"]);
  assert.deepEqual([retry.status, again.status], [202, 409], retry.text);
  assert.deepEqual(
    [done["status"], done.assets[0]?.["status"], done.assets[0]?.["errorType"], done.assets[0]?.["retryCount"]],
    ["complete", "complete", null, 1],
  );
  const events = service.app.db.selectFrom("events").select("eventId").where("submissionId", "=", submissionId);
  assert.deepEqual(await events.execute(), []);
});

test("a rehearsed failure of a type that a retry cannot fix takes all assets and offers no retry; its type may be left out", async () => {
  const workspace = await service.newWorkspace();

  const { json } = await submitTwo(workspace, { sandbox: { outcome: "failed", errorType: "corrupt_media" } });
  const failed = await workspace.finish(String(json["submissionId"]));
  const path = `/submissions/${String(json["submissionId"])}/assets/${String(failed.assets[1]?.["assetId"])}/retry`;
  const retry = await workspace.call("POST", path, { mode: "sandbox" });
  const usual = await submitTwo(workspace, { sandbox: { outcome: "failed" } });
  const usuallyFailed = await workspace.finish(String(usual.json["submissionId"]));

  assert.deepEqual(
    [failed["isRetryable"], failed.assets.map((asset) => asset["errorType"])],
    [false, ["corrupt_media", "corrupt_media"]],
  );
  assert.deepEqual([retry.status, retry.json["error_code"]], [409, "error_not_retryable"]);
  assert.deepEqual([usuallyFailed["status"], usuallyFailed.assets[0]?.["errorType"]], ["failed", "internal_error"]);
});

test("422 for a rehearsal that cannot be; any other metadata.sandbox is free-form", async () => {
  const workspace = await service.newWorkspace();
  const submit = async (sandbox: unknown) => (await submitTwo(workspace, { sandbox })).status;

  for (const rest of [
    { errorType: "tired" },
    { errorType: 1 },
    { failAssets: [2] },
    { failAssets: 0 },
    { failAssets: [0.5] },
  ])
    assert.equal(await submit({ outcome: "failed", ...rest }), 422, JSON.stringify(rest));
  for (const sandbox of [
    true,
    null,
    "failed",
    [],
    {},
    { outcome: "complete", errorType: "tired" },
    { failAssets: [0] },
  ])
    assert.equal(await submit(sandbox), 201, JSON.stringify(sandbox));
});

test("a live key ignores metadata.sandbox", async () => {
  const workspace = await service.newWorkspace();
  const metadata = { sandbox: { outcome: "failed", errorType: "tired" } };

  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }], metadata });

  assert.equal((await workspace.finish(submissionId))["status"], "complete");
});

test("versions of sandbox submissions have no diff: nothing was analysed", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload();
  const first = await workspace.submit({ assets: [{ blobPath }] }, { mode: "sandbox" });
  const assets = [{ blobPath, previousSubmissionId: first.submissionId }];
  const second = await workspace.submit({ assets }, { mode: "sandbox" });
  for (const { submissionId } of [first, second]) await workspace.finish(submissionId);

  const { json } = await workspace.call("GET", `/submissions/${second.submissionId}/versions`);
  const diff = await workspace.call(
    "GET",
    `/submissions/${second.submissionId}/assets/${second.assets[0]?.assetId}/diff`,
  );

  const versions = json["versions"] as { diff: unknown }[];
  assert.deepEqual(
    versions.map((version) => version.diff),
    [null, null],
  );
  assert.deepEqual([diff.status, diff.json["comparedWith"]], [200, null]);
});

test("the log tells the workflowId of a sandbox submission, at its creation and at its end", async () => {
  const workspace = await service.newWorkspace();
  const { submissionId, workflowId } = await workspace.submit(
    { assets: [{ blobPath: await workspace.upload() }] },
    { mode: "sandbox" },
  );
  await workspace.finish(submissionId);

  await until(async () => {
    const lines = (await readFile(service.logTarget, "utf8")).split("\n").filter((line) => line.includes(workflowId));
    return lines.some((line) => line.includes('"request"')) && lines.some((line) => line.includes('"complete"'));
  });
});

async function insertSubscription(
  workspaceId: string,
  options: { eventTypes: string[]; isActive: boolean },
): Promise<void> {
  const now = new Date();
  await service.app.db
    .insertInto("webhookSubscriptions")
    .values({
      subscriptionId: randomUUID(),
      workspaceId,
      url: "https://receiver.example/hook",
      eventTypes: options.eventTypes as "asset.processing.completed"[],
      description: null,
      isActive: options.isActive,
      headers: "{}",
      secret: service.app.vault.encrypt("whsec_dGVzdA=="),
      previousSecret: null,
      previousSecretExpiresAt: null,
      disabledReason: null,
      failingSince: null,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}
