import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { Finding } from "@greenlit/engine/finding.ts";
import { removeOldSubmissions } from "../submissions/remove-old-submissions.ts";
import { failAsset } from "../submissions/running/fail-asset.ts";
import { recordAnalysis } from "../submissions/running/record-analysis.ts";
import { startAsset } from "../submissions/running/start-asset.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { removeOldEvents } from "../webhooks/remove-old-events.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";

/**
 * Pairs of operations on one resource at once. Whatever comes first, each must answer as if it had been alone before
 * or after the other: never a 5xx. The service runs without workers: the test is the worker.
 */
let service: TestService;
before(async () => {
  service = await startTestService({
    role: "api",
    env: {
      GREENLIT_WEBHOOK_HTTP: "true",
      GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8",
      GREENLIT_DATABASE_POOL_SIZE: "20",
      GREENLIT_RENDITIONS: "true",
    },
  });
});
after(() => service[Symbol.asyncDispose]());

const callsEach = 2;
const roundsAtOnce = 4;

type State = "complete" | "failed" | "processing";
type Resource = { workspace: TestWorkspace; ids: Record<string, string>; blobPath: string; run: number };
/** Gives the status of the answer; what is no request throws when it fails. */
type Operation = {
  name: string;
  kind: "read" | "change" | "removal";
  run(resource: Resource): Promise<{ status: number; text: string }>;
};

const ok = { status: 200, text: "" };

const ofSubmission = [
  ...routes.filter(({ path }) => /:(submission_id|asset_id|issue_id|channel)/.test(path)),
  ...named("createSubmission", "listSubmissions", "fireSandboxEvents", "createRealtimeToken"),
].map(asOperation);

const ofSubscription = [
  ...routes.filter(({ path }) => path.includes(":subscription_id")),
  ...named("createWebhook", "listWebhooks", "fireSandboxEvents"),
].map(asOperation);

const ofWorker: Operation[] = [
  {
    name: "an analysis ends",
    kind: "change",
    async run({ workspace: { workspaceId }, ids, run }) {
      const result = { findings: [finding("b")], frames: [frame], measurements: {}, context: {} };
      await recordAnalysis(service.app, { ...own(ids), workspaceId, run, result });
      return ok;
    },
  },
  {
    name: "an analysis fails",
    kind: "change",
    async run({ workspace: { workspaceId }, ids, run }) {
      await failAsset(service.app, {
        ...own(ids),
        workspaceId,
        run,
        errorType: "analyzer_timeout",
        errorMessage: "Too slow.",
      });
      return ok;
    },
  },
  {
    name: "retention ends",
    kind: "removal",
    async run() {
      await removeOldSubmissions(service.app, { endedBefore: new Date() });
      await removeOldEvents(service.app, { before: new Date() });
      return ok;
    },
  },
];

test(
  "routes that change or remove one submission never answer 5xx beside each other or a worker",
  { timeout: 900_000 },
  () => runPairs([...ofSubmission, ...ofWorker], ["complete", "failed", "processing"]),
);

test(
  "routes that change or remove one subscription never answer 5xx beside each other or a worker",
  { timeout: 900_000 },
  () => runPairs([...ofSubscription, ...ofWorker], ["processing"]),
);

test("a submission created beside the deletion of another one of the same file keeps the bytes, or is refused", async () => {
  for (let round = 0; round < 40; round++) {
    const { workspace, ids, blobPath } = await given("complete");
    const create = () => workspace.call("POST", "/submissions", { body: { assets: [{ blobPath }] } });

    const [removed, ...created] = await Promise.all([
      workspace.call("DELETE", `/submissions/${ids["submission_id"]}`),
      create(),
      create(),
    ]);

    assert.equal(removed.status, 204, removed.text);
    for (const { status, json, text } of created) {
      if (status === 201) assert.equal(await readOriginal(workspace, json), "A plain note.\n");
      else assert.deepEqual([status, json["error_code"]], [403, "invalid_blob_path"], text);
    }
    if (created.every(({ status }) => status === 403))
      assert.deepEqual(await Array.fromAsync(service.app.store.list(`frozen/${workspace.workspaceId}/`)), []);
  }
});

test("no route answers a key with a 5xx whose workspace was removed a moment ago", async () => {
  for (const [round, operation] of [
    ...ofSubmission,
    ...ofSubscription,
    ...named("createUploadUrl").map(asOperation),
  ].entries()) {
    const resource = await given(round % 2 === 0 ? "complete" : "failed");
    await resource.workspace.call("GET", "/limits");
    await resource.workspace.call("GET", "/limits", { mode: "sandbox" });
    await removeWorkspace(resource.workspace.workspaceId);

    const { status, text } = await operation.run(resource);

    assert.ok(status < 500, `${operation.name}: ${status} ${text}`);
  }
});

test("401 for an upload, direct or not, of a workspace that was removed a moment ago, and nothing of it is kept", async () => {
  const workspace = await service.newWorkspace();
  await workspace.call("GET", "/limits");
  await removeWorkspace(workspace.workspaceId);
  const form = new FormData();
  form.set("file", new File(["A plain note."], "note.txt", { type: "text/plain" }));

  const direct = await service.fetch("/api/integrations/uploads/direct", {
    method: "POST",
    headers: { "x-api-key": workspace.keys.live },
    body: form,
  });
  const url = await workspace.call("POST", "/uploads/url", { body: { filename: "a.txt", contentType: "text/plain" } });

  assert.deepEqual([direct.status, url.status], [401, 401], direct.text);
  assert.deepEqual(await Array.fromAsync(service.app.store.list(`${workspace.workspaceId}/`)), []);
});

/** As an operator does in the database. Its assets go first: they hold their media. */
async function removeWorkspace(workspaceId: string): Promise<void> {
  await service.app.db.deleteFrom("assets").where("workspaceId", "=", workspaceId).execute();
  await service.app.db.deleteFrom("media").where("workspaceId", "=", workspaceId).execute();
  await service.app.db.deleteFrom("workspaces").where("workspaceId", "=", workspaceId).execute();
}

async function readOriginal(workspace: TestWorkspace, created: Record<string, unknown>): Promise<string> {
  const { submissionId, assets } = created as { submissionId: string; assets: { assetId: string }[] };
  const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/original`;
  const { headers } = await workspace.call("GET", path);
  const media = await service.app.db
    .selectFrom("media")
    .innerJoin("assets", "assets.mediaId", "media.mediaId")
    .select("reference")
    .where("assetId", "=", assets[0]?.assetId ?? "")
    .executeTakeFirstOrThrow();
  // Not by way of the upload that stands in for it.
  const frozen = await Array.fromAsync(service.app.store.list(`frozen/${workspace.workspaceId}/`));
  assert.deepEqual(
    frozen.map(({ key }) => key),
    [media.reference],
  );
  return (await fetch(headers.get("location") ?? "")).text();
}

async function runPairs(operations: readonly Operation[], states: readonly State[]): Promise<void> {
  assert.ok(operations.length > 10);
  const pairs = operations.flatMap((one, index) => operations.slice(index).map((other) => [one, other] as const));
  const rounds = pairs.flatMap((pair, index) =>
    Array.from({ length: roundsOf(pair) }, (_, round) => ({
      pair,
      state: states[(index + round) % states.length] ?? "complete",
    })),
  );
  const failures: string[] = [];
  const run = async ({ pair, state }: (typeof rounds)[number]) => {
    const resource = await given(state);
    const calls = Array.from({ length: callsEach }, () => pair).flat();
    const answers = await Promise.allSettled(calls.map((operation) => operation.run(resource)));
    for (const [index, answer] of answers.entries()) {
      const name = `${calls[index]?.name} (${state}, beside ${pair.map((operation) => operation.name).join(" and ")})`;
      if (answer.status === "rejected") failures.push(`${name}: ${String(answer.reason)}`);
      else if (answer.value.status >= 500) failures.push(`${name}: ${answer.value.status} ${answer.value.text}`);
    }
  };
  // Side by side: each has a workspace of its own and mostly waits for the database.
  const waiting = rounds.values();
  await Promise.all(
    Array.from({ length: roundsAtOnce }, async () => {
      for (const round of waiting) await run(round);
    }),
  );
  assert.deepEqual(failures, []);
}

/** A read takes no lock: only the removal of what it reads can harm it. */
function roundsOf(pair: readonly Operation[]): number {
  const kinds = new Set(pair.map(({ kind }) => kind));
  if (!kinds.has("removal")) return kinds.has("read") ? 0 : 1;
  return kinds.has("read") ? 1 : 3;
}

/** A submission in that state and a subscription with a delivery, in a workspace of their own. */
async function given(state: State): Promise<Resource> {
  const workspace = await service.newWorkspace();
  const { workspaceId } = workspace;
  const subscription = await workspace.call("POST", "/webhooks", { body: bodies["createWebhook"]?.() });
  const subscriptionId = String(subscription.json["subscriptionId"]);
  const blobPath = await workspace.upload();
  const { submissionId, workflowId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  const assetId = assets[0]?.assetId ?? "";
  const started = await startAsset(service.app, { assetId, submissionId, workspaceId, workflowId });
  const run = started?.run ?? 0;
  const ids = { submissionId, assetId, workspaceId, run };
  if (state === "complete") {
    const result = { findings: [finding("a")], frames: [frame], measurements: {}, context: {} };
    await recordAnalysis(service.app, { ...ids, result });
  }
  if (state === "failed")
    await failAsset(service.app, { ...ids, errorType: "analyzer_timeout", errorMessage: "Too slow." });
  if (state === "processing")
    await workspace.call("POST", `/webhooks/${subscriptionId}/test`, { body: bodies["testWebhook"]?.() });
  const issue = await service.app.db
    .selectFrom("issues")
    .select("issueId")
    .where("assetId", "=", assetId)
    .executeTakeFirst();
  const delivery = await service.app.db
    .selectFrom("deliveries")
    .select("deliveryId")
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  const comment = await workspace.call("POST", `/submissions/${submissionId}/assets/${assetId}/comments`, {
    body: bodies["createComment"]?.(),
  });
  return {
    workspace,
    blobPath,
    run,
    ids: {
      comment_id: (comment.json["commentId"] as string | undefined) ?? randomUUID(),
      submission_id: submissionId,
      asset_id: assetId,
      issue_id: issue?.issueId ?? randomUUID(),
      channel: `private-submission-${submissionId}`,
      subscription_id: subscriptionId,
      delivery_id: delivery?.deliveryId ?? randomUUID(),
      page_number: "1",
    },
  };
}

const bodies: Record<string, (resource?: Resource) => unknown> = {
  createSubmission: (resource) => ({ assets: [{ blobPath: resource?.blobPath }] }),
  fireSandboxEvents: (resource) => ({
    eventType: "asset.processing.completed",
    submissionId: resource?.ids["submission_id"],
  }),
  createUploadUrl: () => ({ filename: "a.txt", contentType: "text/plain" }),
  createRealtimeToken: (resource) => ({ channel: resource?.ids["channel"] }),
  changeIssueStatus: () => ({ status: "DISMISSED", reason: "Checked." }),
  createComment: () => ({ text: "Look here." }),
  changeComment: () => ({ isResolved: true }),
  decideReview: () => ({ decision: "rejected", reason: "No." }),
  reportIssue: () => ({ summary: "A finding", severity: "MINOR" }),
  decideIssues: () => ({ filter: {}, status: "DISMISSED" }),
  createWebhook: () => ({
    url: "http://127.0.0.1:8999/hook",
    eventTypes: ["asset.processing.completed", "asset.processing.failed"],
  }),
  updateWebhook: () => ({ description: "Changed" }),
  recoverWebhookDeliveries: () => ({ since: "2026-01-01T00:00:00.000Z" }),
  testWebhook: () => ({ eventType: "asset.processing.completed" }),
};

function asOperation(route: Route): Operation {
  return {
    name: `${route.method} ${route.path}`,
    kind: route.method === "DELETE" ? "removal" : route.method === "GET" ? "read" : "change",
    async run(resource) {
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
        assert.ok(resource.ids[name], `${route.path} has an id this test knows nothing about: ${name}`);
        return resource.ids[name];
      });
      const mode = route.sandboxOnly === "route" ? "sandbox" : "live";
      if (route.operationId === "openChannel") return openBriefly(resource, path);
      const body = bodies[route.operationId]?.(resource);
      return resource.workspace.call(route.method, path, { mode, ...(body !== undefined && { body }) });
    },
  };
}

/** A stream that runs does not end by itself. */
async function openBriefly({ workspace }: Resource, path: string): Promise<{ status: number; text: string }> {
  const leaving = new AbortController();
  const response = await fetch(`${service.url}/api/integrations${path}`, {
    headers: { "x-api-key": workspace.keys.live },
    signal: leaving.signal,
  });
  leaving.abort();
  return { status: response.status, text: "" };
}

function named(...operationIds: string[]): Route[] {
  return operationIds.map((operationId) => {
    const route = routes.find((candidate) => candidate.operationId === operationId);
    assert.ok(route, operationId);
    return route;
  });
}

function own(ids: Record<string, string>): { submissionId: string; assetId: string } {
  return { submissionId: ids["submission_id"] ?? "", assetId: ids["asset_id"] ?? "" };
}

const frame = { seconds: 1, page: null, jpegBase64: "/9j/4AAQ", findings: [0] };

function finding(fingerprint: string): Finding {
  return {
    ruleCode: "TEST-RULE",
    ruleVersion: "1",
    ruleSummary: "A rule of the test",
    sidekickId: randomUUID(),
    sidekickName: "Test",
    packVersion: "1",
    summary: "Found something",
    severity: "MAJOR",
    severityReasoning: "It is.",
    severityReasoningHeadline: "It is",
    precedents: [],
    fingerprint,
    location: null,
    measurement: null,
    recommendation: "Change it.",
    citation: null,
    needsHuman: false,
  } as unknown as Finding;
}
