import assert from "node:assert/strict";
import { request } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";
import { openEvents } from "../testing/event-reader.ts";
import { givenSubmission } from "../testing/given-submission.ts";
import { startTestService } from "../testing/test-service.ts";
import { createServer } from "./server.ts";

test("an event stream outlives the time that a request's body has, and a body that stalls does not", async () => {
  await using service = await startTestService({ role: "api" });
  const workspace = await service.newWorkspace();
  const submission = await givenSubmission(service.app, workspace);
  await using server = createServer(service.app, { bodyTimeoutMs: 100 });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const headers = { "x-api-key": workspace.keys.live };
  await using events = await openEvents(
    `http://127.0.0.1:${port}/api/integrations/realtime/${submission.channel}`,
    headers,
  );
  await events.next();

  await untilStalledBodyIsCutOff({ port, headers });
  await submission.tell(["asset.issue", { ruleCode: "LATE" }]);
  const late = await events.next();

  assert.equal(late?.event, "asset.issue");
});

test("a body that stalls is told so with 408, and its connection ends", async () => {
  await using service = await startTestService({ role: "api" });
  const workspace = await service.newWorkspace();
  await using server = createServer(service.app, { bodyTimeoutMs: 100 });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;

  const answer = await new Promise<string>((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(
        `POST /api/integrations/submissions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${workspace.keys.live}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"assets":',
      ),
    );
    socket
      .on("data", (chunk) => (received += chunk.toString()))
      .on("error", reject)
      .on("close", () => resolve(received));
  });

  assert.match(answer, /^HTTP\/1\.1 408 .*connection: close.*"error_code":"request_timeout"/is);
});

test("a request without a body may take longer than a body has time", async () => {
  await using service = await startTestService({ role: "api" });
  const workspace = await service.newWorkspace();
  const { submissionId } = await givenSubmission(service.app, workspace);
  await using server = createServer(service.app, { bodyTimeoutMs: 100 });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const headers = { "x-api-key": workspace.keys.sandbox };
  const holder = await service.app.pool.connect();
  await holder.query("begin");
  await holder.query("select from submissions where submission_id = $1 for update", [submissionId]);

  const answering = fetch(`http://127.0.0.1:${port}/api/integrations/submissions/${submissionId}`, {
    method: "DELETE",
    headers,
  });
  await untilStalledBodyIsCutOff({ port, headers });
  await holder.query("rollback");
  holder.release();
  const answer = await answering;

  assert.equal(answer.status, 204);
});

/** By then the time is up for a stream that was opened before, too. */
async function untilStalledBodyIsCutOff(options: { port: number; headers: Record<string, string> }): Promise<void> {
  const { port, headers } = options;
  const sending = request({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/api/integrations/submissions",
    headers: { ...headers, "content-type": "application/json", "content-length": "100" },
  });
  sending.on("error", () => {});
  const closed = new Promise((resolve) => sending.once("close", resolve));
  sending.write('{"assets":');
  await closed;
}
