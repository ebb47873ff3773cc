import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { verifyAudit } from "../../audit/read-audit.ts";
import type { Role } from "../../db/people-tables.ts";
import type { Severity } from "../../db/tables.ts";
import { recordAnalysis } from "../../submissions/running/record-analysis.ts";
import { startAsset } from "../../submissions/running/start-asset.ts";
import { openEvents } from "../../testing/event-reader.ts";
import { givenPerson, type TestPerson } from "../../testing/test-person.ts";
import { startTestService, type Answer, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService({ role: "api" });
});
after(() => service[Symbol.asyncDispose]());

type Team = { workspace: TestWorkspace; as: (role: Role) => Promise<TestPerson> };

async function givenTeam(): Promise<Team> {
  const workspace = await service.newWorkspace();
  const { workspaceId } = workspace;
  return { workspace, as: (role) => givenPerson(service, { roles: [{ workspaceId, role }] }) };
}

type Caller = { call: (method: string, path: string, options?: { body?: unknown }) => Promise<Answer> };

/** An asset that was submitted by the caller and analysed, with findings of these severities. */
async function givenAsset(
  workspace: TestWorkspace,
  options: {
    findings?: Severity[];
    by?: Caller;
    previousSubmissionId?: string;
    jurisdictions?: string[];
    filename?: string;
  } = {},
) {
  const { findings = [], by = workspace, previousSubmissionId, jurisdictions = ["UK"] } = options;
  const blobPath = await workspace.upload({ filename: options.filename ?? "spring ad.txt" });
  const body = { assets: [{ blobPath, ...(previousSubmissionId && { previousSubmissionId }) }] };
  const created = await by.call("POST", "/submissions", { body });
  assert.equal(created.status, 201, created.text);
  const submissionId = String(created.json["submissionId"]);
  const [asset] = created.json["assets"] as { assetId: string }[];
  const assetId = asset?.assetId ?? "";
  const { workspaceId } = workspace;
  const ids = { submissionId, workspaceId, assetId, workflowId: String(created.json["workflowId"]) };
  const started = await startAsset(service.app, ids);
  assert.ok(started);
  const result = {
    findings: findings.map((severity, index) => finding(severity, index)),
    measurements: {},
    context: { jurisdictions },
  };
  assert.ok(await recordAnalysis(service.app, { ...ids, run: started.run, result }));
  return { submissionId, assetId, url: `/submissions/${submissionId}/assets/${assetId}` };
}

function finding(severity: Severity, index: number) {
  return {
    ruleCode: `RULE-${index % 3}`,
    ruleVersion: "1",
    ruleSummary: "A rule",
    sidekickId: "0f4c1f0e-6a3b-4c62-9d5e-1b7f0a2c9e01",
    sidekickName: "Test",
    packVersion: "1",
    summary: `Finding ${index}`,
    severity,
    severityReasoning: "",
    severityReasoningHeadline: "",
    needsHuman: false,
    precedents: [],
    fingerprint: `finding-${index}`,
    location: null,
    measurement: null,
    recommendation: "",
    citation: null,
  };
}

async function issuesOf(caller: Caller, url: string): Promise<{ id: string; status: string; severity: string }[]> {
  return (await caller.call("GET", `${url}/issues`)).json["issues"] as never;
}

test("a complete asset is in the queue, and a decision takes it through the states and supersedes the one before", async () => {
  const { workspace, as } = await givenTeam();
  const approver = await as("approver");
  const asset = await givenAsset(workspace, { findings: ["MAJOR", "INFO"] });

  const queue = await approver.call("GET", "/reviews?state=awaiting_review&severity=MAJOR&market=UK&q=spring");
  const first = await approver.call("POST", `${asset.url}/review/decisions`, {
    body: { decision: "changes_requested", reason: "Remove the claim." },
  });
  const second = await approver.call("POST", `${asset.url}/review/decisions`, {
    body: { decision: "approved_with_conditions", conditions: ["After 21:00 only"] },
  });
  const review = await approver.call("GET", `${asset.url}/review`);

  assert.deepEqual(
    (queue.json["data"] as Record<string, unknown>[]).map(({ assetId, openIssues, undecidedCount }) => [
      assetId,
      openIssues,
      undecidedCount,
    ]),
    [[asset.assetId, { CRITICAL: 0, MAJOR: 1, MINOR: 0, INFO: 1 }, 2]],
  );
  assert.deepEqual([first.status, second.status], [201, 201], second.text);
  assert.equal(review.json["state"], "approved_with_conditions");
  assert.deepEqual(
    (review.json["decisions"] as Record<string, unknown>[]).map(({ decision, supersededBy }) => [
      decision,
      supersededBy,
    ]),
    [
      ["changes_requested", second.json["decisionId"]],
      ["approved_with_conditions", null],
    ],
  );
});

test("the rules of the workspace: own upload, open CRITICAL, a key alone, each 409 or 403 and each can be switched off", async () => {
  const { workspace, as } = await givenTeam();
  const [approver, uploader, admin] = [await as("approver"), await as("approver"), await as("admin")];
  const asset = await givenAsset(workspace, { findings: ["CRITICAL"], by: uploader });
  const approve = (caller: Caller) =>
    caller.call("POST", `${asset.url}/review/decisions`, { body: { decision: "approved" } });
  const refusals = async () => [
    (await approve(workspace)).json["error_code"],
    (await approve(uploader)).json["error_code"],
    (await approve(approver)).json["error_code"],
  ];

  assert.deepEqual(await refusals(), ["person_required", "own_upload", "open_critical_issues"]);
  await admin.call("PATCH", "/workspace", {
    body: {
      reviewRules: { uploaderMayNotApprove: false, openCriticalBlocksApproval: false, keyMayNotApprove: false },
    },
  });
  assert.deepEqual(await refusals(), [undefined, undefined, undefined]);
});

test("409 for who made the key that submitted the asset; another person may approve it", async () => {
  const { workspace, as } = await givenTeam();
  const [maker, approver] = [await as("admin"), await as("approver")];
  const { json: made } = await maker.call("POST", "/keys", { body: { mode: "live", name: "pipeline" } });
  const headers = { "x-api-key": String(made["key"]) };
  const byKey: Caller = { call: (method, path, options) => workspace.call(method, path, { ...options, headers }) };
  const asset = await givenAsset(workspace, { by: byKey });
  const approve = (caller: Caller) =>
    caller.call("POST", `${asset.url}/review/decisions`, { body: { decision: "approved" } });

  const [own, other] = [await approve(maker), await approve(approver)];

  assert.equal(own.json["error_code"], "own_upload", own.text);
  assert.equal(other.status, 201, other.text);
});

test("a CRITICAL issue takes an approver to dismiss, and where two are wanted a second person", async () => {
  const { workspace, as } = await givenTeam();
  const [reviewer, approver, admin] = [await as("reviewer"), await as("approver"), await as("admin")];
  const asset = await givenAsset(workspace, { findings: ["CRITICAL", "CRITICAL"] });
  const [one, two] = await issuesOf(workspace, asset.url);
  const dismiss = (caller: Caller, issue: { id: string } | undefined) =>
    caller.call("PATCH", `${asset.url}/issues/${issue?.id}`, {
      body: { status: "DISMISSED", reasonCode: "FALSE_POSITIVE" },
    });

  assert.equal((await dismiss(reviewer, one)).json["error_code"], "role_required");
  assert.equal((await dismiss(approver, one)).json["status"], "DISMISSED");
  await admin.call("PATCH", "/workspace", { body: { reviewRules: { secondPersonForCritical: true } } });
  assert.equal((await dismiss(approver, two)).json["status"], "AWAITING_HUMAN_INPUT");
  assert.equal((await dismiss(approver, two)).json["status"], "AWAITING_HUMAN_INPUT");
  assert.equal((await dismiss(reviewer, two)).json["status"], "AWAITING_HUMAN_INPUT");
  assert.equal((await dismiss(approver, two)).json["status"], "DISMISSED");
  const { history } = (await approver.call("GET", `${asset.url}/issues/${two?.id}`)).json as {
    history: Record<string, unknown>[];
  };
  assert.deepEqual(
    history.map(({ personId, proposedStatus, reasonCode }) => [personId, proposedStatus, reasonCode]),
    [
      [approver.personId, "DISMISSED", "FALSE_POSITIVE"],
      [approver.personId, "DISMISSED", "FALSE_POSITIVE"],
      [reviewer.personId, "DISMISSED", "FALSE_POSITIVE"],
      [approver.personId, null, "FALSE_POSITIVE"],
    ],
  );
});

test("of two who claim at once one gets it, the other 409 until it is released, and nobody decides meanwhile", async () => {
  const { workspace, as } = await givenTeam();
  const people = [await as("approver"), await as("approver")] as const;
  const asset = await givenAsset(workspace);
  const claim = (person: TestPerson) => person.call("POST", `${asset.url}/review/claim`);

  const answers = await Promise.all(people.map(claim));

  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  const [winner, loser] = answers[0]?.status === 200 ? people : ([people[1], people[0]] as const);
  const decision = { body: { decision: "approved" } };
  assert.equal(
    (await loser.call("POST", `${asset.url}/review/decisions`, decision)).json["error_code"],
    "review_claimed",
  );
  assert.equal((await loser.call("DELETE", `${asset.url}/review/claim`)).status, 409);
  assert.equal((await winner.call("DELETE", `${asset.url}/review/claim`)).status, 204);
  assert.equal((await claim(loser)).status, 200);
});

test("a review is assigned to somebody who may review, and they find it under me", async () => {
  const { workspace, as } = await givenTeam();
  const [reviewer, viewer] = [await as("reviewer"), await as("viewer")];
  const asset = await givenAsset(workspace);
  const assign = (assigneeId: string) => reviewer.call("PATCH", `${asset.url}/review`, { body: { assigneeId } });

  assert.equal((await assign(viewer.personId)).status, 422);
  assert.equal((await assign(reviewer.personId)).status, 200);
  const count = async (assignee: string) =>
    ((await reviewer.call("GET", `/reviews?assignee=${assignee}`)).json["data"] as unknown[]).length;
  assert.deepEqual([await count("me"), await count("none"), await count(viewer.personId)], [1, 0, 0]);
});

test("a role that is limited to markets decides only about those", async () => {
  const { workspace } = await givenTeam();
  const asset = await givenAsset(workspace, { jurisdictions: ["UK", "IE"] });
  const roles = [{ workspaceId: workspace.workspaceId, role: "approver" as const, markets: ["UK"] }];
  const approver = await givenPerson(service, { roles });
  const decide = (markets?: string[]) =>
    approver.call("POST", `${asset.url}/review/decisions`, {
      body: { decision: "approved", ...(markets && { markets }) },
    });

  assert.equal((await decide()).json["error_code"], "market_not_allowed");
  assert.equal((await decide(["UK"])).status, 201);
});

test("a role that is limited to markets touches no review of other markets, and no issue that concerns others too", async () => {
  const { workspace } = await givenTeam();
  const roles = [{ workspaceId: workspace.workspaceId, role: "approver" as const, markets: ["UK"] }];
  const approver = await givenPerson(service, { roles });
  const own = await givenAsset(workspace, { findings: ["MAJOR"], jurisdictions: ["UK"] });
  const shared = await givenAsset(workspace, { findings: ["MAJOR"], jurisdictions: ["UK", "IE"] });
  const other = await givenAsset(workspace, { findings: ["MAJOR"], jurisdictions: ["US"] });

  const statusesOf = async ({ url }: { url: string }) => {
    const [issue] = await issuesOf(workspace, url);
    const calls: [string, string, unknown][] = [
      ["POST", `${url}/issues`, { summary: "A logo.", severity: "MINOR" }],
      ["PATCH", `${url}/review`, { dueAt: "2030-01-01T00:00:00.000Z" }],
      ["POST", `${url}/review/claim`, undefined],
      ["PATCH", `${url}/issues/${issue?.id}`, { status: "RESOLVED" }],
      ["POST", `${url}/issues/decide`, { filter: {}, status: "DISMISSED" }],
      ["GET", `${url}/review`, undefined],
    ];
    const statuses: number[] = [];
    for (const [method, path, body] of calls)
      statuses.push((await approver.call(method, path, body === undefined ? {} : { body })).status);
    return statuses;
  };

  assert.deepEqual(await statusesOf(own), [201, 200, 200, 200, 200, 200]);
  assert.deepEqual(await statusesOf(shared), [201, 200, 200, 403, 403, 200]);
  assert.deepEqual(await statusesOf(other), [403, 403, 403, 403, 403, 200]);
});

test("a search finds reviews by all the words of their filenames, however they are written, until they are deleted", async () => {
  const { workspace } = await givenTeam();
  const first = await givenAsset(workspace, { filename: "Été_Summer-SALE 30.txt" });
  await givenAsset(workspace, { filename: "summer.txt" });
  const search = async (words: string) => {
    const answer = await workspace.call("GET", `/reviews?q=${encodeURIComponent(words)}`);
    return (answer.json["data"] as { filename: string }[]).map(({ filename }) => filename);
  };

  assert.deepEqual(await search("sale SUMMER"), ["Été_Summer-SALE 30.txt"]);
  assert.deepEqual(await search("été"), ["Été_Summer-SALE 30.txt"]);
  assert.deepEqual(await search("summer txt"), ["summer.txt", "Été_Summer-SALE 30.txt"]);
  assert.deepEqual(await search("txt sum"), ["summer.txt", "Été_Summer-SALE 30.txt"]);
  assert.deepEqual(await search("summer sa"), ["Été_Summer-SALE 30.txt"]);
  assert.deepEqual(await search("sum txt"), []);
  assert.deepEqual(await search("sum "), []);
  assert.deepEqual(await search("summer winter"), []);
  assert.deepEqual(await search("!?"), []);
  await workspace.call("DELETE", `/submissions/${first.submissionId}`);
  assert.deepEqual(await search("summer"), ["summer.txt"]);
  const { rows } = await sql`
    select from review_terms where workspace_id = ${workspace.workspaceId} and term = 'sale'`.execute(service.app.db);
  assert.equal(rows.length, 0);
});

test("ten thousand issues are decided in one call, with one audit entry each", async () => {
  const { workspace, as } = await givenTeam();
  const reviewer = await as("reviewer");
  const asset = await givenAsset(workspace, { findings: Array.from({ length: 10_000 }, () => "MINOR" as const) });

  const answer = await reviewer.call("POST", `${asset.url}/issues/decide`, {
    body: { filter: { status: "OPEN" }, status: "DISMISSED", reasonCode: "DUPLICATE", reason: "One cause." },
  });

  assert.deepEqual(answer.json, { decided: 10_000, proposed: 0 });
  const review = await reviewer.call("GET", `${asset.url}/review`);
  assert.deepEqual(
    [review.json["severity"], review.json["undecidedCount"], review.json["state"]],
    [null, 0, "in_review"],
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) from audit_entries where workspace_id = ${workspace.workspaceId} and action = 'issue.decided'`.execute(
    service.app.db,
  );
  assert.equal(rows[0]?.count, 10_000);
  assert.equal((await verifyAudit(service.app.db, workspace.workspaceId)).broken, null);
});

test("of many ids one that is unknown refuses all", async () => {
  const { workspace, as } = await givenTeam();
  const reviewer = await as("reviewer");
  const asset = await givenAsset(workspace, { findings: ["MINOR"] });
  const [issue] = await issuesOf(workspace, asset.url);

  const answer = await reviewer.call("POST", `${asset.url}/issues/decide`, {
    body: { issueIds: [issue?.id, randomUUID()], status: "RESOLVED" },
  });

  assert.equal(answer.status, 404);
  assert.equal((await issuesOf(workspace, asset.url))[0]?.status, "OPEN");
});

test("404 for a bulk decision about an issue of another workspace or asset, and a filter touches neither", async () => {
  const { workspace, as } = await givenTeam();
  const reviewer = await as("reviewer");
  const asset = await givenAsset(workspace, { findings: ["MINOR"] });
  const [own] = await issuesOf(workspace, asset.url);
  const stranger = (await givenTeam()).workspace;
  const others = [
    { owner: stranger, url: (await givenAsset(stranger, { findings: ["MINOR"] })).url },
    { owner: workspace, url: (await givenAsset(workspace, { findings: ["MINOR"] })).url },
  ];
  const decide = (body: object) =>
    reviewer.call("POST", `${asset.url}/issues/decide`, { body: { ...body, status: "RESOLVED" } });

  for (const { owner, url } of others) {
    const [other] = await issuesOf(owner, url);
    assert.equal((await decide({ issueIds: [own?.id, other?.id] })).status, 404);
  }
  assert.equal((await issuesOf(workspace, asset.url))[0]?.status, "OPEN");
  assert.equal((await decide({ filter: { severity: "MINOR" } })).json["decided"], 1);

  for (const { owner, url } of others) assert.equal((await issuesOf(owner, url))[0]?.status, "OPEN");
});

test("two who decide different issues at once leave the counts right", async () => {
  const { workspace, as } = await givenTeam();
  const reviewer = await as("reviewer");
  const asset = await givenAsset(workspace, { findings: Array.from({ length: 20 }, () => "MAJOR" as const) });
  const issues = await issuesOf(workspace, asset.url);

  await Promise.all(
    issues.map(({ id }) => reviewer.call("PATCH", `${asset.url}/issues/${id}`, { body: { status: "RESOLVED" } })),
  );

  const review = await reviewer.call("GET", `${asset.url}/review`);
  assert.deepEqual([review.json["severity"], review.json["undecidedCount"]], [null, 0]);
});

test("a reviewer's own finding is an issue of the asset and blocks like any other", async () => {
  const { workspace, as } = await givenTeam();
  const approver = await as("approver");
  const asset = await givenAsset(workspace);

  const reported = await approver.call("POST", `${asset.url}/issues`, {
    body: { summary: "A child drinks.", severity: "CRITICAL", location: { startSeconds: 3, endSeconds: 5 } },
  });
  const approval = await approver.call("POST", `${asset.url}/review/decisions`, { body: { decision: "approved" } });

  assert.equal(reported.status, 201, reported.text);
  assert.deepEqual([reported.json["sidekickName"], reported.json["referenceNumber"]], ["Reviewers", 1]);
  assert.equal(approval.json["error_code"], "open_critical_issues");
  assert.equal((await workspace.call("GET", asset.url)).json["issueCount"], 1);
});

test("an open thread on an issue follows its finding to the next version, a resolved one does not", async () => {
  const { workspace, as } = await givenTeam();
  const reviewer = await as("reviewer");
  const first = await givenAsset(workspace, { findings: ["MAJOR"] });
  const [issue] = await issuesOf(workspace, first.url);
  const comment = (body: object) => reviewer.call("POST", `${first.url}/comments`, { body });
  const open = await comment({ text: "Is this so?", anchor: { issueId: issue?.id, startSeconds: 2 } });
  await comment({ text: "It is.", threadId: open.json["commentId"] });
  const done = await comment({ text: "Fix the logo." });
  await reviewer.call("PATCH", `${first.url}/comments/${String(done.json["commentId"])}`, {
    body: { isResolved: true },
  });

  const second = await givenAsset(workspace, { findings: ["MAJOR"], previousSubmissionId: first.submissionId });

  const [nextIssue] = await issuesOf(workspace, second.url);
  const { data } = (await reviewer.call("GET", `${second.url}/comments`)).json as { data: Record<string, unknown>[] };
  assert.deepEqual(
    data.map(({ text, fromVersion, anchor }) => [text, fromVersion, (anchor as { issueId: string } | null)?.issueId]),
    [
      ["Is this so?", 1, nextIssue?.id],
      ["It is.", 1, undefined],
    ],
  );
});

test("a thread that is resolved on the next version stays there with its answers, and not on the one after", async () => {
  const { workspace, as } = await givenTeam();
  const reviewer = await as("reviewer");
  const first = await givenAsset(workspace);
  const thread = await reviewer.call("POST", `${first.url}/comments`, { body: { text: "Fix the logo." } });
  const threadId = String(thread.json["commentId"]);
  const second = await givenAsset(workspace, { previousSubmissionId: first.submissionId });
  const listOf = async ({ url }: { url: string }) => {
    const { data } = (await reviewer.call("GET", `${url}/comments`)).json as { data: Record<string, unknown>[] };
    return data.map(({ text, isResolved }) => [text, isResolved]);
  };

  await reviewer.call("POST", `${second.url}/comments`, { body: { text: "It is fixed.", threadId } });
  await reviewer.call("PATCH", `${second.url}/comments/${threadId}`, { body: { isResolved: true } });
  const third = await givenAsset(workspace, { previousSubmissionId: second.submissionId });

  const resolved = [
    ["Fix the logo.", true],
    ["It is fixed.", false],
  ];
  assert.deepEqual(await listOf(second), resolved);
  assert.deepEqual(await listOf(third), []);
});

test("a comment's text belongs to its author", async () => {
  const { workspace, as } = await givenTeam();
  const [author, other, admin] = [await as("reviewer"), await as("reviewer"), await as("admin")];
  const asset = await givenAsset(workspace);
  const created = await author.call("POST", `${asset.url}/comments`, { body: { text: "One" } });
  const url = `${asset.url}/comments/${String(created.json["commentId"])}`;

  assert.equal((await other.call("PATCH", url, { body: { text: "Two" } })).status, 403);
  assert.equal((await other.call("DELETE", url)).status, 403);
  assert.equal((await author.call("PATCH", url, { body: { text: "Two" } })).json["text"], "Two");
  assert.equal((await admin.call("DELETE", url)).status, 204);
  assert.deepEqual((await author.call("GET", `${asset.url}/comments`)).json["data"], []);
});

test("a decision is an event for who subscribes to it, and is told on the workspace's channel", async () => {
  const { workspace, as } = await givenTeam();
  const approver = await as("approver");
  const asset = await givenAsset(workspace);
  await using events = await openEvents(
    `${service.url}/api/integrations/realtime/private-workspace-${workspace.workspaceId}`,
    { cookie: approver.cookie },
  );
  assert.equal(events.response.status, 200);

  const deciding = approver.call("POST", `${asset.url}/review/decisions`, { body: { decision: "approved" } });
  const [told] = await events.readUntil(({ event }) => event === "review.changed");

  assert.equal((await deciding).status, 201);
  assert.equal(told?.message.data["assetId"], asset.assetId);
  const stored = await service.app.db
    .selectFrom("events")
    .select(["type", "body"])
    .where("workspaceId", "=", workspace.workspaceId)
    .where("type", "=", "asset.review.decided")
    .execute();
  assert.equal(stored.length, 1);
});

test("the audit names who changed what, exports it, and finds an entry that was changed or removed", async () => {
  const { workspace, as } = await givenTeam();
  const approver = await as("approver");
  const asset = await givenAsset(workspace);
  await approver.call("POST", `${asset.url}/review/decisions`, {
    body: { decision: "rejected", reason: '=1+1, "no"' },
  });
  const { db } = service.app;
  const { workspaceId } = workspace;

  const { data } = (await approver.call("GET", "/audit?limit=1")).json as { data: Record<string, unknown>[] };
  const lines = (await approver.call("GET", "/audit/export")).text.trim().split("\n");
  const csv = (await workspace.call("GET", "/audit/export?format=csv")).text.trim().split("\r\n");

  assert.deepEqual(
    [data[0]?.["action"], (data[0]?.["actor"] as { id: string } | undefined)?.id],
    ["review.decided", approver.personId],
  );
  const actions = lines.map((line) => (JSON.parse(line) as { action: string }).action);
  assert.deepEqual(actions, [
    "workspace.created",
    "key.created",
    "key.created",
    "submission.created",
    "review.decided",
  ]);
  assert.equal(csv.length, lines.length + 1);
  assert.deepEqual(await verifyAudit(db, workspaceId), {
    workspaceId,
    entries: 5,
    head: data[0]?.["hash"],
    broken: null,
  });

  await sql`update audit_entries set actor_name = 'Eve' where workspace_id = ${workspaceId} and number = 3`.execute(db);
  assert.deepEqual((await verifyAudit(db, workspaceId)).broken, { number: 3, reason: "the entry was changed" });
  await sql`delete from audit_entries where workspace_id = ${workspaceId} and number = 2`.execute(db);
  assert.deepEqual((await verifyAudit(db, workspaceId)).broken, { number: 2, reason: "the entry is missing" });
});
