import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";

let service: TestService;
let stranger: TestWorkspace;
let theirs: Record<string, string>;
before(async () => {
  service = await startTestService({ env: { GREENLIT_WEBHOOK_HTTP: "true", GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8" } });
  stranger = await service.newWorkspace();
  theirs = await ids();
});
after(() => service[Symbol.asyncDispose]());

const healthClaimsId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b11";

/** Something of every kind that has an id, in a workspace of its own. */
async function ids(): Promise<Record<string, string>> {
  const workspace = await service.newWorkspace();
  const bytes = "This copper bracelet cures arthritis.";
  const { submissionId, assets } = await workspace.submit({
    assets: [{ blobPath: await workspace.upload({ bytes }) }],
    sidekickIds: [healthClaimsId],
    metadata: { jurisdictions: ["UK"] },
  });
  await workspace.finish(submissionId);
  const asset = await workspace.call("GET", `/submissions/${submissionId}/assets/${assets[0]?.assetId}`);
  const issueId = (asset.json["issues"] as { id: string }[])[0]?.id;
  assert.ok(issueId, "the text has a finding");
  const { json } = await workspace.call("POST", "/webhooks", {
    body: { url: "http://127.0.0.1:8999/hook", eventTypes: ["asset.processing.completed"] },
  });
  const subscriptionId = String(json["subscriptionId"]);
  await workspace.call("POST", "/sandbox/events/fire", {
    mode: "sandbox",
    body: { eventType: "asset.processing.completed", submissionId },
  });
  const deliveries = await workspace.call("GET", `/webhooks/${subscriptionId}/deliveries`);
  const comment = await workspace.call("POST", `/submissions/${submissionId}/assets/${assets[0]?.assetId}/comments`, {
    body: { text: "Look here." },
  });
  const rejudge = await workspace.call("POST", "/rejudge", { body: {} });
  return {
    rejudge_id: String(rejudge.json["rejudgeId"]),
    certificate_id: await certify(workspace, `/submissions/${submissionId}/assets/${assets[0]?.assetId}`),
    comment_id: String(comment.json["commentId"]),
    submission_id: submissionId,
    asset_id: assets[0]?.assetId ?? "",
    issue_id: issueId,
    subscription_id: subscriptionId,
    delivery_id: (deliveries.json["data"] as { deliveryId: string }[])[0]?.deliveryId ?? "",
    channel: `private-submission-${submissionId}`,
    page_number: "1",
  };
}

async function certify(workspace: TestWorkspace, path: string): Promise<string> {
  const rules = { keyMayNotApprove: false, uploaderMayNotApprove: false, openCriticalBlocksApproval: false };
  await service.app.db
    .updateTable("workspaces")
    .set({ reviewRules: JSON.stringify(rules) })
    .where("workspaceId", "=", workspace.workspaceId)
    .execute();
  await workspace.call("POST", `${path}/review/decisions`, { body: { decision: "approved" } });
  const { status, json, text } = await workspace.call("POST", `${path}/certificate`, { body: {} });
  assert.equal(status, 201, text);
  return String(json["certificateId"]);
}

const bodies: Record<string, unknown> = {
  changeIssueStatus: { status: "DISMISSED" },
  decideReview: { decision: "rejected", reason: "No." },
  createComment: { text: "Hello" },
  reportIssue: { summary: "A finding", severity: "MINOR" },
  decideIssues: { filter: {}, status: "DISMISSED" },
  revokeCertificate: { reason: "No." },
  updateWebhook: { isActive: false },
  recoverWebhookDeliveries: { since: "2026-01-01T00:00:00.000Z" },
  testWebhook: { eventType: "asset.processing.completed" },
};

// DELETE last: one that wrongly succeeds would make all others answer 404.
const withIds = routes
  .filter(({ path }) => path.includes(":") && !path.includes(":sidekick_id"))
  .toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));

test("the walk below has routes to walk", () => assert.ok(withIds.length >= 12));

for (const route of withIds)
  test(`${route.method} ${route.path}: another workspace's id is the 404 of one that never was, byte for byte`, async () => {
    const neverWas: Record<string, string> = { channel: `private-submission-${randomUUID()}`, page_number: "1" };
    const never = Object.fromEntries(Object.keys(theirs).map((name) => [name, neverWas[name] ?? randomUUID()]));
    const call = (values: Record<string, string>) =>
      stranger.call(route.method, fill(route, values), {
        mode: "sandbox",
        ...(route.method !== "GET" && route.method !== "DELETE" && { body: bodies[route.operationId] ?? {} }),
      });

    const [foreign, unknown] = [await call(theirs), await call(never)];

    assert.equal(foreign.status, 404, foreign.text);
    assert.equal(foreign.text, unknown.text);
  });

test("fire, too, takes an id: in its body", async () => {
  const { submission_id: submissionId } = theirs;

  const answer = await stranger.call("POST", "/sandbox/events/fire", {
    mode: "sandbox",
    body: { eventType: "asset.processing.failed", submissionId },
  });

  assert.equal(answer.status, 404);
});

function fill(route: Route, values: Record<string, string>): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    assert.ok(value, `${route.path} has an id this test knows nothing about: ${name}`);
    return value;
  });
}
