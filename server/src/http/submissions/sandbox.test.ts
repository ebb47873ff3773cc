import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "../../testing/test-service.ts";

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
  const seen = new Set([answer.json["status"]]);
  for (let status = ""; status !== "complete";) {
    status = String((await workspace.call("GET", `/submissions/${submissionId}`)).json["status"]);
    seen.add(status);
  }
  const elapsed = Date.now() - startedAt;
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
    [body.data["status"], body.data["error_message"], body.data["livemode"]],
    ["failed", "Sandbox simulated failure", false],
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
