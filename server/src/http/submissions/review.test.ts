import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

/** A clip without sound, which the file integrity sidekick remarks on. */
const clip = Uint8Array.from(
  readFileSync(new URL("../../../../engine/src/media-types/samples/video.mp4", import.meta.url)),
);

type Issue = Record<string, unknown> & { id: string; status: string; fingerprint: string };

async function analysed(workspace: TestWorkspace, previousSubmissionId?: string, metadata?: Record<string, unknown>) {
  const blobPath = await workspace.upload({ filename: "clip.mp4", contentType: "video/mp4", bytes: clip });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath, previousSubmissionId }], metadata });
  const done = await workspace.finish(submissionId);
  assert.equal(done["status"], "complete", JSON.stringify(done));
  const url = `/submissions/${submissionId}/assets/${assets[0]?.assetId}`;
  const { json } = await workspace.call("GET", `${url}/issues`);
  return { submissionId, url, done, issues: json["issues"] as Issue[], page: json };
}

test("an issue has every field of the contract, and the asset shows it in compact form", async () => {
  const workspace = await service.newWorkspace();

  const { url, done, issues, page } = await analysed(workspace);

  const issue = issues[0];
  assert.ok(issue, "the sample raises no issue");
  const text = [
    "id",
    "summary",
    "severity",
    "status",
    "createdAt",
    "updatedAt",
    "ruleCode",
    "sidekickId",
    "severityReasoning",
    "severityReasoningHeadline",
  ];
  for (const field of text) assert.equal(typeof issue[field], "string", field);
  assert.equal(issue["referenceNumber"], 1);
  assert.ok(Array.isArray(issue["precedents"]));
  assert.equal(page["total"], issues.length);
  assert.equal(done.assets[0]?.["issueCount"], issues.length);
  const compact = (await workspace.call("GET", url)).json["issues"] as Record<string, unknown>[];
  assert.deepEqual(Object.keys(compact[0] ?? {}), [
    "id",
    "referenceNumber",
    "ruleCode",
    "summary",
    "severity",
    "status",
  ]);
});

test("issues are filtered and paged", async () => {
  const workspace = await service.newWorkspace();
  const { url, issues } = await analysed(workspace);
  const ids = async (query: string) =>
    ((await workspace.call("GET", `${url}/issues?${query}`)).json["issues"] as Issue[]).map(({ id }) => id);

  const byRule = await ids(
    `ruleCode=${String(issues[0]?.["ruleCode"])}&severity=${String(issues[0]?.["severity"])}&status=OPEN`,
  );
  const first = await workspace.call("GET", `${url}/issues?limit=1`);

  assert.deepEqual(byRule, [issues[0]?.id]);
  assert.deepEqual(await ids("severity=CRITICAL"), []);
  assert.deepEqual(
    await ids("severity=&status=&ruleCode=&sidekickId="),
    issues.map(({ id }) => id),
  );
  assert.equal(first.json["hasMore"], issues.length > 1);
  assert.equal((await workspace.call("GET", `${url}/issues?severity=critical`)).status, 422);
});

test("a decision is kept with its reason, and carried over to the next version while the context is the same", async () => {
  const workspace = await service.newWorkspace();
  const first = await analysed(workspace);
  const issue = first.issues[0];
  assert.ok(issue);
  const decide = (url: string, id: string, body: unknown) => workspace.call("PATCH", `${url}/issues/${id}`, { body });

  const decided = await decide(first.url, issue.id, { status: "DISMISSED", reason: "silent on purpose" });
  const same = await analysed(workspace, first.submissionId);
  const otherContext = await analysed(workspace, first.submissionId, { sector: "alcohol" });

  assert.equal(decided.json["status"], "DISMISSED");
  const history = (await workspace.call("GET", `${first.url}/issues/${issue.id}`)).json["history"] as Record<
    string,
    unknown
  >[];
  assert.deepEqual(
    history.map(({ fromStatus, toStatus, reason }) => [fromStatus, toStatus, reason]),
    [["OPEN", "DISMISSED", "silent on purpose"]],
  );
  const again = same.issues.find(({ fingerprint }) => fingerprint === issue.fingerprint);
  assert.deepEqual(
    [again?.status, again?.["earlierIssueId"], again?.["referenceNumber"]],
    ["DISMISSED", issue.id, issue["referenceNumber"]],
  );
  assert.equal(otherContext.issues.find(({ fingerprint }) => fingerprint === issue.fingerprint)?.status, "OPEN");
  const { json } = await workspace.call("GET", `/submissions/${first.submissionId}/versions`);
  const diffs = (json["versions"] as { diff: unknown }[]).map(({ diff }) => diff);
  const persisting = { new: 0, fixed: 0, persisting: first.issues.length };
  assert.deepEqual(diffs, [null, persisting, persisting]);
  const diff = (await workspace.call("GET", `${same.url}/diff`)).json;
  assert.deepEqual(
    [diff["new"], diff["fixed"], (diff["persisting"] as unknown[]).length],
    [[], [], first.issues.length],
  );
});

test("what was resolved and is found again is reopened", async () => {
  const workspace = await service.newWorkspace();
  const first = await analysed(workspace);
  const issue = first.issues[0];
  await workspace.call("PATCH", `${first.url}/issues/${issue?.id}`, { body: { status: "RESOLVED" } });

  const next = await analysed(workspace, first.submissionId);

  const again = next.issues.find(({ fingerprint }) => fingerprint === issue?.fingerprint);
  assert.deepEqual([again?.status, again?.["reopened"]], ["OPEN", true]);
});

test("422 for a status that does not exist, 403 for a key of the other mode, 404 for an unknown issue", async () => {
  const workspace = await service.newWorkspace();
  const { url, issues } = await analysed(workspace);
  const patch = (id: string, body: unknown, mode: "live" | "sandbox" = "live") =>
    workspace.call("PATCH", `${url}/issues/${id}`, { body, mode });
  const id = issues[0]?.id ?? "";

  const answers = await Promise.all([
    patch(id, { status: "CLOSED" }),
    patch(id, { status: "OPEN", by: "me" }),
    patch(id, { status: "RESOLVED" }, "sandbox"),
    patch(url.split("/")[2] ?? "", { status: "RESOLVED" }),
  ]);

  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 422, 403, 404],
  );
});

test("sidekickIds [] runs none; the chosen ones are told by the status", async () => {
  const workspace = await service.newWorkspace();
  const { json } = await workspace.call("GET", "/sidekicks");
  const sidekick = (json["data"] as Record<string, unknown>[])[0];
  const blobPath = await workspace.upload({ filename: "clip.mp4", contentType: "video/mp4", bytes: clip });

  const none = await workspace.submit({ assets: [{ blobPath }], sidekickIds: [] });
  const one = await workspace.submit({ assets: [{ blobPath }], sidekickIds: [sidekick?.["sidekickId"]] });
  const [noneDone, oneDone] = [await workspace.finish(none.submissionId), await workspace.finish(one.submissionId)];

  assert.deepEqual(Object.keys(sidekick ?? {}), [
    "sidekickId",
    "name",
    "description",
    "jurisdictions",
    "mediaKinds",
    "packVersion",
    "ruleCount",
    "isDefault",
  ]);
  assert.deepEqual([noneDone["sidekickIds"], noneDone.assets[0]?.["issueCount"]], [[], 0]);
  assert.deepEqual(oneDone["sidekickIds"], [sidekick?.["sidekickId"]]);
  const rules = await workspace.call("GET", `/sidekicks/${String(sidekick?.["sidekickId"])}/rules`);
  assert.equal((rules.json["data"] as unknown[]).length, sidekick?.["ruleCount"]);
  for (const path of ["/sidekicks", `/sidekicks/${String(sidekick?.["sidekickId"])}/rules`]) {
    const all = (await workspace.call("GET", path)).json;
    assert.deepEqual([all["hasMore"], all["nextCursor"]], [false, null], path);
    const [first] = all["data"] as unknown[];
    const page = (await workspace.call("GET", `${path}?limit=1`)).json;
    assert.deepEqual([page["data"], page["hasMore"]], [[first], (all["data"] as unknown[]).length > 1], path);
  }
});
