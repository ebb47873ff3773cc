import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EventSource } from "undici";
import { until } from "@greenlit/engine/testing/until.ts";
import { publishProgress } from "../../realtime/publish-progress.ts";
import { openEvents } from "../../testing/event-reader.ts";
import { givenSubmission } from "../../testing/given-submission.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";
import { createKey, listKeys, revokeKey } from "../../workspaces/manage-keys.ts";

let service: TestService;
let clock = Date.now();
before(async () => {
  service = await startTestService({ now: () => new Date(clock), env: { GREENLIT_STREAMS_PER_KEY: "3" } });
});
after(() => service[Symbol.asyncDispose]());

function open(workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  return openEvents(`${service.url}/api/integrations/realtime/${path}`, {
    "x-api-key": workspace.keys.live,
    ...headers,
  });
}

test("the whole status comes first, then what happens, and the stream ends after the terminal status", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await submission.tell(["submission.status", { status: "processing" }]);
  const polled = await workspace.call("GET", `/submissions/${submission.submissionId}`);

  await using stream = await open(workspace, submission.channel);
  const first = await stream.next();
  await submission.tell(["asset.issue", { assetId: submission.assetId, ruleCode: "A" }]);
  await submission.settle("complete");
  const rest = await stream.readUntil();

  const { headers } = stream.response;
  assert.equal(headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-accel-buffering"), "no");
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.deepEqual(first?.message.data, polled.json);
  assert.deepEqual(Object.keys(first?.message ?? {}), ["event", "channel", "timestamp", "data"]);
  assert.equal(first?.message.channel, submission.channel);
  assert.deepEqual(
    [first, ...rest].map((event) => `${event?.id} ${event?.event}`),
    ["1 submission.status", "2 asset.issue", "3 asset.completed", "4 submission.status"],
  );
  assert.deepEqual(
    rest.map(({ event, message }) => event === message.event),
    [true, true, true],
  );
  assert.deepEqual(rest[0]?.message.data, {
    submissionId: submission.submissionId,
    assetId: submission.assetId,
    ruleCode: "A",
  });
  assert.deepEqual(rest.at(-1)?.message.data, { submissionId: submission.submissionId, status: "complete" });
});

test("a client that connects after the end gets the status, what it missed, and the end", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await submission.tell(["asset.issue", { ruleCode: "A" }], ["asset.issue", { ruleCode: "B" }]);
  await submission.settle("failed");

  const idsOf = async (path: string, headers?: Record<string, string>) => {
    await using stream = await open(workspace, submission.channel + path, headers);
    return (await stream.readUntil()).map(({ id }) => id);
  };

  assert.deepEqual(await idsOf(""), ["4"]);
  assert.deepEqual(await idsOf("", { "last-event-id": "2" }), ["2", "3", "4"]);
  assert.deepEqual(await idsOf("?lastEventId=1"), ["1", "2", "3", "4"]);
  assert.deepEqual(await idsOf("?lastEventId=1", { "last-event-id": "3" }), ["3", "4"]);
  assert.deepEqual(await idsOf("?lastEventId=0"), ["0", "1", "2", "3", "4"]);
  assert.deepEqual(await idsOf("", { "last-event-id": "4" }), ["4"]);
});

test("a terminal status that a retry undid does not end the stream of a client that resumes before it", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await submission.settle("failed");
  await submission.settle("submitted");

  await using stream = await open(workspace, submission.channel, { "last-event-id": "1" });
  const missed = await stream.readUntil(({ id }) => id === "3");
  await submission.settle("complete");
  const rest = await stream.readUntil();

  assert.equal(missed[0]?.message.data["status"], "submitted");
  assert.deepEqual(
    [...missed, ...rest].slice(1).map(({ id }) => id),
    ["2", "3", "4", "5"],
  );
});

test("progress reaches the listeners without an id, the newest value last, at most twice a second", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await using stream = await open(workspace, submission.channel);
  await stream.next();

  const begun = Date.now();
  for (let progressPercent = 1; progressPercent <= 40; progressPercent++)
    publishProgress(service.app, { ...submission, progressPercent });
  const events = await stream.readUntil(({ message }) => message.data["progressPercent"] === 40);

  assert.deepEqual(
    events.map(({ message }) => message.data["progressPercent"]),
    [1, 40],
  );
  assert.deepEqual(
    events.map(({ id, event }) => [id, event]),
    [
      [undefined, "asset.progress"],
      [undefined, "asset.progress"],
    ],
  );
  assert.ok(Date.now() - begun >= 450);
});

test("a workspace's channel carries what ends in all its submissions, and resumes", async () => {
  const workspace = await service.newWorkspace();
  const other = await service.newWorkspace();
  const [one, two, foreign] = await Promise.all([
    givenSubmission(service.app, workspace),
    givenSubmission(service.app, workspace),
    givenSubmission(service.app, other),
  ]);
  const channel = `private-workspace-${workspace.workspaceId}`;
  let lastEventId: string | undefined;
  {
    await using stream = await open(workspace, channel);
    await until(() => service.app.realtime.hub.openStreams > 0);
    await one.tell(["asset.issue", { ruleCode: "A" }]);
    await foreign.settle("complete");
    await one.settle("complete");
    const events = await stream.readUntil(({ event }) => event === "submission.status");
    lastEventId = stream.lastEventId;
    assert.deepEqual(
      events.map(({ event, message }) => [event, message.data["submissionId"]]),
      [
        ["asset.completed", one.submissionId],
        ["submission.status", one.submissionId],
      ],
    );
    assert.equal(events[0]?.message.channel, channel);
  }
  await two.settle("failed");

  await using resumed = await open(workspace, channel, { "last-event-id": lastEventId ?? "" });
  const missed = await resumed.readUntil(({ event }) => event === "submission.status");
  await two.settle("complete");
  const live = await resumed.readUntil(({ event }) => event === "submission.status");
  await using all = await open(workspace, `${channel}?lastEventId=0`);

  assert.deepEqual(
    missed.map(({ event, message }) => [event, message.data["submissionId"]]),
    [
      ["asset.failed", two.submissionId],
      ["submission.status", two.submissionId],
    ],
  );
  assert.deepEqual(
    live.map(({ event }) => event),
    ["asset.completed", "submission.status"],
  );
  let ends = 0;
  assert.equal((await all.readUntil(({ event }) => event === "submission.status" && ++ends === 3)).length, 6);
});

test("404, the same to the byte, for an unknown submission and channels of another workspace", async () => {
  const workspace = await service.newWorkspace();
  const other = await service.newWorkspace();
  const foreign = await givenSubmission(service.app, other);
  const names = [
    "private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10",
    foreign.channel,
    `private-workspace-${other.workspaceId}`,
    "private-workspace-ws_aaaaaaaaaaaaaaaa",
  ];

  const opened = await Promise.all(names.map((name) => workspace.call("GET", `/realtime/${name}`)));
  const tokens = await Promise.all(
    names.map((channel) => workspace.call("POST", "/realtime/token", { body: { channel } })),
  );

  for (const answers of [opened, tokens]) {
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 404],
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  }
});

for (const [what, path, headers] of [
  ["channel is malformed", "submission-1", {}],
  ["channel is of no known kind", "private-key-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10", {}],
  [
    "last event id is not a number",
    "private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10",
    { "last-event-id": "x" },
  ],
  ["last event id is one of another kind", "private-workspace-ws_aaaaaaaaaaaaaaaa", { "last-event-id": "7" }],
  ["snapshot is impossible", "private-workspace-ws_aaaaaaaaaaaaaaaa?lastEventId=9:5:", {}],
  ["snapshot is out of order", "private-workspace-ws_aaaaaaaaaaaaaaaa?lastEventId=1:9:5,4", {}],
  ["query parameter is unknown", "private-workspace-ws_aaaaaaaaaaaaaaaa?since=9", {}],
] as const)
  test(`422 when the ${what}`, async () => {
    const workspace = await service.newWorkspace();

    const answer = await workspace.call("GET", `/realtime/${path}`, { headers });

    assert.equal(answer.status, 422);
    assert.equal(answer.json["error_code"], "invalid_request");
  });

test("429 with one field and Retry-After beyond the streams of a key, and room again when one is closed", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const streams = await Promise.all([1, 2, 3].map(() => open(workspace, submission.channel)));

  const refused = await workspace.call("GET", `/realtime/${submission.channel}`);
  await using otherKey = await open(workspace, submission.channel, { "x-api-key": workspace.keys.sandbox });
  await streams[0]?.[Symbol.asyncDispose]();

  assert.equal(refused.status, 429);
  assert.deepEqual(Object.keys(refused.json), ["error"]);
  assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.equal(otherKey.response.status, 200);
  await until(async () => {
    await using again = await open(workspace, submission.channel);
    return again.response.status === 200;
  });
  for (const stream of streams) await stream[Symbol.asyncDispose]();
});

test("HEAD answers the headers and leaves no stream behind, and POST is 405", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await until(() => service.app.realtime.hub.openStreams === 0);

  const head = await workspace.call("HEAD", `/realtime/${submission.channel}`);
  const post = await workspace.call("POST", `/realtime/${submission.channel}`);

  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.equal(post.status, 405);
  assert.equal(post.headers.get("allow"), "GET, HEAD");
  await until(() => service.app.realtime.hub.openStreams === 0);
});

test("401 without key and token, and for a token that is altered, expired, of another channel or of a revoked key", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const other = await givenSubmission(service.app, workspace);
  const { keyId, key } = await createKey(service.app.db, { workspace: workspace.workspaceId, mode: "live" });
  const tokenOf = async (options: { key?: string } = {}) => {
    const body = { channel: submission.channel };
    return String((await workspace.call("POST", "/realtime/token", { body, ...options })).json["token"]);
  };
  const statusOf = async (token: string, channel = submission.channel) => {
    await using stream = await openEvents(`${service.url}/api/integrations/realtime/${channel}?token=${token}`);
    return stream.response.status;
  };
  const token = await tokenOf();
  const revoked = await tokenOf({ key });
  await revokeKey(service.app.db, keyId);

  assert.equal(await statusOf(""), 401);
  assert.equal(await statusOf(token), 200);
  assert.equal(await statusOf(token.replace(/.$/, (last) => (last === "A" ? "E" : "A"))), 401);
  assert.equal(await statusOf(`${token.slice(0, 20)}x${token.slice(21)}`), 401);
  assert.equal(await statusOf(token, other.channel), 401);
  await until(async () => (await statusOf(revoked)) === 401);
  const elsewhere = await service.fetch(`/api/integrations/limits?token=${token}`);
  assert.equal(elsewhere.status, 401);
  clock += 5 * 60_000;
  assert.equal(await statusOf(token), 401);
});

test("an EventSource with a token in its URL gets the messages by name", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const token = await workspace.call("POST", "/realtime/token", { body: { channel: submission.channel } });
  const seen: string[] = [];

  const source = new EventSource(String(token.json["url"]));
  for (const name of ["submission.status", "asset.issue"])
    source.addEventListener(name, (event) => void seen.push(`${(event as MessageEvent).lastEventId} ${name}`));
  await until(() => seen.length === 1);
  await submission.tell(["asset.issue", { ruleCode: "A" }]);
  await until(() => seen.length === 2);

  assert.equal(token.status, 200);
  assert.equal(token.json["channel"], submission.channel);
  assert.match(String(token.json["expiresAt"]), /Z$/);
  assert.deepEqual(seen, ["0 submission.status", "1 asset.issue"]);
  source.close();
});

test("the stream of a revoked key ends within seconds, and those of other keys go on", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const live = (await listKeys(service.app.db, { workspace: workspace.workspaceId })).find(
    ({ mode }) => mode === "live",
  );
  await using revoked = await open(workspace, submission.channel);
  await using kept = await open(workspace, submission.channel, { "x-api-key": workspace.keys.sandbox });

  await revokeKey(service.app.db, live?.keyId ?? "");
  const ended = await revoked.readUntil();
  await submission.settle("complete");

  assert.equal(ended.length, 1);
  assert.equal((await kept.readUntil()).length, 3);
});
