import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { EventSource } from "undici";
import { until } from "@greenlit/engine/testing/until.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { freePort } from "../testing/free-port.ts";
import { openEvents, type ReceivedEvent } from "../testing/event-reader.ts";
import { givenSubmission, type GivenSubmission } from "../testing/given-submission.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { publishProgress } from "./publish-progress.ts";
import { recordMessages } from "./record-message.ts";

/** Two processes of one deployment, as far as a client can tell. */
let services: TestService[];
let env: Record<string, string>;
const stack = new AsyncDisposableStack();
before(async () => {
  const database = stack.use(await createTestDatabase());
  env = { DATABASE_URL: database.url, GREENLIT_SECRET_KEY: randomBytes(32).toString("hex") };
  services = [stack.use(await startTestService({ env })), stack.use(await startTestService({ env }))];
});
after(() => stack.disposeAsync());

function open(index: number, workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  const url = `${serviceAt(index).url}/api/integrations/realtime/${path}`;
  return openEvents(url, { "x-api-key": workspace.keys.live, ...headers });
}

function serviceAt(index: number): TestService {
  const service = services[index % services.length];
  assert.ok(service);
  return service;
}

test("messages and progress of one process reach the listeners of another", async () => {
  const workspace = await serviceAt(0).newWorkspace();
  const submission = await givenSubmission(serviceAt(0).app, workspace);
  await using stream = await open(1, workspace, submission.channel);
  await stream.next();

  let progress: ReceivedEvent | undefined;
  void stream.next().then((event) => (progress = event));
  // It is kept nowhere: what is told before the other process has begun to listen is lost.
  await until(() => {
    publishProgress(serviceAt(0).app, { ...submission, progressPercent: 7 });
    return progress !== undefined;
  });
  await submission.tell(["asset.issue", { ruleCode: "A" }]);
  const issue = (await stream.readUntil(({ event }) => event === "asset.issue")).at(-1);

  assert.deepEqual([progress?.event, progress?.message.data["progressPercent"]], ["asset.progress", 7]);
  assert.deepEqual([issue?.event, issue?.id], ["asset.issue", "1"]);
});

test("a client that is cut off 20 times while 5 writers write gets each message once and in order", async () => {
  const workspace = await serviceAt(0).newWorkspace();
  const [here, there] = await Promise.all([
    givenSubmission(serviceAt(0).app, workspace),
    givenSubmission(serviceAt(1).app, workspace),
  ]);
  const seen: string[] = [];
  const writers = Array.from({ length: 5 }, async (_, writer) => {
    for (let count = 0; count < 50; count++) {
      await here.tell(["asset.issue", { writer, count }], ["asset.issue", { writer, count, second: true }]);
      if (count % 10 === 0) await there.tell(["asset.issue", {}]);
    }
  });

  let lastEventId = "0";
  for (let cut = 0; cut < 20; cut++) {
    await using stream = await open(cut, workspace, here.channel, { "last-event-id": lastEventId });
    await stream.next();
    let left = 1 + ((cut * 7) % 23);
    const events = await stream.readUntil(() => --left === 0);
    seen.push(...events.map(({ id }) => id ?? ""));
    lastEventId = seen.at(-1) ?? lastEventId;
  }
  await Promise.all(writers);
  await here.settle("complete");
  await using rest = await open(0, workspace, here.channel, { "last-event-id": lastEventId });
  seen.push(...(await rest.readUntil()).slice(1).map(({ id }) => id ?? ""));

  assert.deepEqual(
    seen,
    Array.from({ length: 502 }, (_, index) => String(index + 1)),
  );
});

test("a workspace's client misses nothing and sees nothing twice when an older transaction commits after it left", async () => {
  const { app } = serviceAt(0);
  const workspace = await serviceAt(0).newWorkspace();
  const [slow, quick] = await Promise.all([givenSubmission(app, workspace), givenSubmission(app, workspace)]);
  const channel = `private-workspace-${workspace.workspaceId}`;
  const written = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  await using stream = await open(0, workspace, channel);
  await until(() => app.realtime.hub.openStreams > 0);
  const committed = app.db.transaction().execute(async (trx) => {
    const { submissionId, workspaceId } = slow;
    const messages = [{ event: "asset.completed" as const, data: { assetId: slow.assetId } }];
    await recordMessages(trx, { submissionId, workspaceId, now: new Date(), messages });
    written.resolve();
    await commit.promise;
  });
  await written.promise;

  await quick.settle("complete");
  const before = await stream.readUntil(({ event }) => event === "submission.status");
  await stream[Symbol.asyncDispose]();
  commit.resolve();
  await committed;
  await using resumed = await open(1, workspace, channel, { "last-event-id": stream.lastEventId ?? "" });
  const missed = await resumed.next();
  await slow.settle("failed");
  const next = await resumed.next();

  assert.deepEqual(
    before.map(({ message }) => message.data["submissionId"]),
    [quick.submissionId, quick.submissionId],
  );
  assert.deepEqual([missed?.event, missed?.message.data["submissionId"]], ["asset.completed", slow.submissionId]);
  assert.deepEqual([next?.event, next?.message.data["submissionId"]], ["asset.failed", slow.submissionId]);
});

test("a workspace's client that is cut off between messages of concurrent writers gets each once", async () => {
  const workspace = await serviceAt(0).newWorkspace();
  const channel = `private-workspace-${workspace.workspaceId}`;
  const seen: string[] = [];
  const submissions: GivenSubmission[] = [];
  for (let index = 0; index < 60; index++) submissions.push(await givenSubmission(serviceAt(index).app, workspace));
  let lastEventId = "0";
  const writers = Array.from({ length: 5 }, async (_, writer) => {
    for (const [index, submission] of submissions.entries())
      if (index % 5 === writer) await submission.settle("complete");
  });

  for (let connection = 0; seen.length < 120; connection++) {
    await using stream = await open(connection, workspace, channel, { "last-event-id": lastEventId });
    let left = Math.min(1 + ((connection * 7) % 23), 120 - seen.length);
    const events = await stream.readUntil(() => --left === 0);
    seen.push(...events.map(({ event, message }) => `${event} ${String(message.data["submissionId"])}`));
    lastEventId = stream.lastEventId ?? lastEventId;
  }
  await Promise.all(writers);

  assert.equal(new Set(seen).size, 120);
});

test("open streams get what they missed, in order, when PostgreSQL ends every connection", async () => {
  const { app } = serviceAt(0);
  const workspace = await serviceAt(0).newWorkspace();
  const submission = await givenSubmission(app, workspace);
  await using stream = await open(0, workspace, submission.channel);
  await stream.next();
  await submission.tell(["asset.issue", {}]);
  await stream.next();

  await serviceAt(1).app.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in ('greenlit', 'greenlit-listen') and pid <> pg_backend_pid()",
  );
  for (let count = 0; count < 5; count++) await givenPatience(() => submission.tell(["asset.issue", { count }]));
  await givenPatience(() => submission.settle("complete"));
  const rest = await stream.readUntil();

  assert.deepEqual(
    rest.map(({ id }) => id),
    ["2", "3", "4", "5", "6", "7", "8"],
  );
});

test("streams end when the service stops, and an EventSource resumes on the next one", async () => {
  const workspace = await serviceAt(0).newWorkspace();
  const submission = await givenSubmission(serviceAt(0).app, workspace);
  const port = String(await freePort());
  const first = await startTestService({ env: { ...env, GREENLIT_PORT: port } });
  const { token } = serviceAt(0).app.realtime.tokens.issue({
    workspaceId: workspace.workspaceId,
    keyId: (await serviceAt(0).app.apiKeys.find(workspace.keys.live))?.keyId ?? "",
    channel: submission.channel,
  });
  const seen: string[] = [];
  const source = new EventSource(`${first.url}/api/integrations/realtime/${submission.channel}?token=${token}`);
  for (const name of ["submission.status", "asset.issue"])
    source.addEventListener(name, (event) => void seen.push(`${(event as MessageEvent).lastEventId} ${name}`));
  await submission.tell(["asset.issue", {}]);
  await until(() => seen.length > 0 && seen.at(-1)?.startsWith("1 ") === true);

  await first[Symbol.asyncDispose]();
  await submission.tell(["asset.issue", {}]);
  await using next = await startTestService({ env: { ...env, GREENLIT_PORT: port } });
  await until(() => seen.at(-1) === "2 asset.issue");
  source.close();

  assert.equal(next.url, first.url);
  assert.equal(seen.filter((event) => event === "2 asset.issue").length, 1);
});

/** The pool's connections are gone too: what was to be written is written again. */
async function givenPatience(write: () => Promise<void>): Promise<void> {
  await write().catch(() => givenPatience(write));
}
