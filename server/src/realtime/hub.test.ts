import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { openEvents } from "../testing/event-reader.ts";
import { givenSubmission } from "../testing/given-submission.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { createHub } from "./hub.ts";

let service: TestService;
const logFile = join(tmpdir(), `greenlit-hub-test-${process.pid}.log`);
before(async () => {
  service = await startTestService({ env: { GREENLIT_LOG: logFile } });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(logFile);
});

function open(workspace: TestWorkspace, path: string) {
  return openEvents(`${service.url}/api/integrations/realtime/${path}`, { "x-api-key": workspace.keys.live });
}

test("300 listeners of one submission all get every message, in order, to the end", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const streams = await Promise.all(Array.from({ length: 300 }, () => open(workspace, submission.channel)));

  for (let count = 0; count < 5; count++) await submission.tell(["asset.issue", { count }]);
  await submission.settle("complete");
  const received = await Promise.all(streams.map((stream) => stream.readUntil()));

  const ids = received.map((events) => events.slice(1).map(({ id }) => id));
  for (const seen of ids) assert.deepEqual(seen, ["1", "2", "3", "4", "5", "6", "7"].slice(-seen.length));
  assert.ok(ids.every((seen) => seen.length === 7));
  await until(() => service.app.realtime.hub.openStreams === 0);
  assert.equal([...service.app.realtime.hub.topics.all()].length, 0);
});

test("a listener that does not read is dropped, and the others get everything", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const stuck = connect(Number(new URL(service.url).port), "127.0.0.1").pause();
  stuck.on("error", () => {});
  stuck.write(
    `GET /api/integrations/realtime/${submission.channel} HTTP/1.1\r\nhost: x\r\nx-api-key: ${workspace.keys.live}\r\n\r\n`,
  );
  await until(() => service.app.realtime.hub.openStreams === 1);
  await using reader = await open(workspace, submission.channel);
  const reading = reader.readUntil();

  const filler = "x".repeat(200_000);
  let count = 0;
  for (; service.app.realtime.hub.openStreams === 2; count++) {
    assert.ok(count < 200, "it was not dropped after 40 MB");
    await submission.tell(["asset.issue", { filler }]);
  }
  await submission.settle("complete");
  const events = await reading;

  assert.deepEqual(
    events.slice(1).map(({ id }) => id),
    Array.from({ length: count + 2 }, (_, index) => String(index + 1)),
  );
  stuck.destroy();
});

test("a client that has more to catch up on than a buffer holds is not dropped", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const filler = "x".repeat(100_000);
  for (let count = 0; count < 60; count++) await submission.tell(["asset.issue", { filler }]);
  await submission.settle("complete");

  await using stream = await open(workspace, `${submission.channel}?lastEventId=0`);
  const first = await stream.next();
  await until(() => service.app.realtime.hub.openStreams === 1);
  const rest = await stream.readUntil();

  assert.equal(first?.id, "0");
  assert.deepEqual(
    rest.map(({ id }) => id),
    Array.from({ length: 62 }, (_, index) => String(index + 1)),
  );
});

test("the stream of a deleted submission ends", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await using stream = await open(workspace, submission.channel);
  await stream.next();

  const deleted = await workspace.call("DELETE", `/submissions/${submission.submissionId}`, { mode: "sandbox" });
  const rest = await stream.readUntil();

  assert.equal(deleted.status, 204);
  assert.deepEqual(rest, []);
});

test("one line in the log when a stream is over says why, and holds no token", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const { json } = await workspace.call("POST", "/realtime/token", { body: { channel: submission.channel } });
  await using stream = await openEvents(String(json["url"]));
  await stream.next();

  await submission.settle("failed");
  await stream.readUntil();

  const requestId = stream.response.headers.get("x-request-id") ?? "";
  const lines = async () => (await readFile(logFile, "utf8")).split("\n").filter((line) => line.includes(requestId));
  await until(async () => (await lines()).length > 0);
  const [line = "", ...others] = await lines();
  assert.equal(others.length, 0);
  const { route, status, ended, messages, workspaceId } = JSON.parse(line) as Record<string, unknown>;
  assert.deepEqual(
    { route, status, ended, messages, workspaceId },
    {
      route: "/api/integrations/realtime/:channel",
      status: 200,
      ended: "terminal status",
      messages: 3,
      workspaceId: workspace.workspaceId,
    },
  );
  assert.equal((await readFile(logFile, "utf8")).includes(String(json["token"])), false);
});

test("a client that leaves has its line in the log, too", async () => {
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  const stream = await open(workspace, submission.channel);
  await stream.next();

  await stream[Symbol.asyncDispose]();

  const requestId = stream.response.headers.get("x-request-id") ?? "";
  const line = async () => (await readFile(logFile, "utf8")).split("\n").find((text) => text.includes(requestId));
  await until(async () => (await line()) !== undefined);
  assert.match((await line()) ?? "", /"isAborted":true,"ended":"client left","messages":1/);
});

test("a comment comes at every beat, and who took nothing between two beats is dropped", async () => {
  using hub = createHub({ ...service.app, streamsPerKey: 2, beatMs: 20 });
  const reader = hub.admit("a key");
  const stuck = hub.admit("a key");
  stuck.send(Buffer.from("x"));
  let text = "";
  reader.readable.on("data", (chunk: Buffer) => void (text += chunk.toString()));

  await until(() => text.includes(": keep-alive\n\n: keep-alive\n\n: keep-alive\n\n"));

  assert.equal(stuck.isOver, true);
  assert.equal(stuck.summary().ended, "client does not read");
  assert.equal(reader.isOver, false);
  await until(() => hub.openStreams === 1);
});
