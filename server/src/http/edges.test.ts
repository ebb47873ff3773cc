import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService({
    env: {
      GREENLIT_DATABASE_POOL_SIZE: "4",
      GREENLIT_METRICS_PORT: "0",
      GREENLIT_CORS_ORIGINS: "https://console.example",
    },
  });
});
after(() => service[Symbol.asyncDispose]());

/** Sends bytes as they are, and gives what came back until the server closed the connection. */
function raw(text: string): Promise<{ answer: string; elapsedMs: number }> {
  const { port, hostname } = new URL(service.url);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let answer = "";
    const done = () => resolve({ answer, elapsedMs: performance.now() - startedAt });
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket
      .on("data", (chunk) => (answer += chunk.toString()))
      .on("close", done)
      .on("error", done);
  });
}

test("bytes that are no HTTP get a 400 of our own form, oversized headers 431", async () => {
  const garbage = await raw("\x16\x03\x01 hello\r\n\r\n");
  const large = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`);

  assert.match(garbage.answer, /^HTTP\/1\.1 400 .*X-Request-Id: .*"error_code":"malformed_http"/s);
  assert.match(large.answer, /^HTTP\/1\.1 431 .*"error_code":"headers_too_large"/s);
});

test("headers that do not come are cut off after five seconds", async () => {
  const { elapsedMs } = await raw("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");

  assert.ok(elapsedMs > 4000, `${elapsedMs} ms`);
});

test("a malformed path is 422, a very long id too", async () => {
  const { keys } = await service.newWorkspace();
  const headers = { "x-api-key": keys.live };

  const encoded = await service.fetch("/api/integrations/submissions/%zz", { headers });
  const long = await service.fetch(`/api/integrations/submissions/${"a".repeat(5000)}`, { headers });
  const nul = await service.fetch("/api/integrations/submissions/%00", { headers });

  assert.deepEqual([encoded.status, long.status, nul.status], [422, 422, 422]);
  assert.ok(encoded.headers.get("x-request-id"));
  for (const { json } of [encoded, long, nul]) assert.equal((json["details"] as unknown[]).length, 1);
});

test("413 for a JSON body over 4 MiB", async () => {
  const workspace = await service.newWorkspace();

  const answer = await workspace.call("POST", "/submissions", { body: `{"a":"${"x".repeat(4 * 1024 * 1024)}"}` });

  assert.deepEqual([answer.status, answer.json["error_code"]], [413, "body_too_large"]);
});

test("a client that writes its whole body before it reads still gets the refusal, and the connection ends", async () => {
  const { keys } = await service.newWorkspace();
  const send = (contentType: string, lengthBytes: number) =>
    raw(
      `POST /api/integrations/submissions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.live}\r\n` +
        `Content-Type: ${contentType}\r\nContent-Length: ${lengthBytes}\r\n\r\n${" ".repeat(lengthBytes)}` +
        "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );

  const [tooLarge, otherType] = [await send("application/json", 5_000_000), await send("text/plain", 3_000_000)];

  assert.match(tooLarge.answer, /^HTTP\/1\.1 413 .*connection: close.*"body_too_large"[^\r]*$/s);
  assert.match(otherType.answer, /^HTTP\/1\.1 422 .*connection: close.*"Content-Type"[^\r]*$/s);
});

test("503 when the pool is exhausted, without a Retry-After, and service again afterwards", async () => {
  await using small = await startTestService({
    role: "api",
    databaseWaitMs: 1500,
    env: { GREENLIT_DATABASE_POOL_SIZE: "4" },
  });
  const workspace = await small.newWorkspace();
  const clients = await Promise.all(Array.from({ length: 4 }, () => small.app.pool.connect()));

  const refused = await workspace.call("GET", "/submissions");
  for (const client of clients) client.release();

  assert.deepEqual(
    [refused.status, refused.json["error_code"], refused.headers.get("retry-after")],
    [503, "unavailable", null],
  );
  assert.equal((await workspace.call("GET", "/submissions")).status, 200);
});

test("a backend that PostgreSQL ends costs no request after it", async () => {
  const workspace = await service.newWorkspace();
  await service.app.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'greenlit' and datname = current_database() and pid <> pg_backend_pid()",
  );

  const answers = await Promise.all(Array.from({ length: 8 }, () => workspace.call("GET", "/submissions")));

  assert.ok(answers.every(({ status }) => status === 200 || status === 503));
  assert.equal((await workspace.call("GET", "/submissions")).status, 200);
});

test("an unexpected error is a 500 that tells nothing of the inside, and the log has it under the request id", async () => {
  const workspace = await service.newWorkspace();
  await service.app.pool.query("alter table submissions rename column metadata to metadata_gone");
  const answer = await workspace.call("GET", "/submissions");
  await service.app.pool.query("alter table submissions rename column metadata_gone to metadata");

  assert.deepEqual([answer.status, answer.json["error_code"]], [500, "internal_error"]);
  assert.ok(!/metadata|select|column|node_modules/i.test(answer.text), answer.text);
  const lines = await logLinesOf(answer, (line) => line.includes('"err"'));
  assert.match(lines[0] ?? "", /metadata/);
});

test("one log line a request, with ids, route and duration, and never the key or the filename", async () => {
  const workspace = await service.newWorkspace();
  const answer = await workspace.call("POST", "/uploads/url", {
    body: { filename: "secret plan.mp4", contentType: "video/mp4" },
  });

  const lines = await logLinesOf(answer, (line) => line.includes('"route"'));
  assert.equal(lines.length, 1);
  const entry = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
  assert.deepEqual(
    [entry["route"], entry["status"], entry["workspaceId"]],
    ["/api/integrations/uploads/url", 200, workspace.workspaceId],
  );
  assert.equal(typeof entry["keyId"], "string");
  assert.ok(Number(entry["durationMs"]) > 0);
  const log = readFileSync(service.logTarget, "utf8");
  assert.ok(!log.includes(workspace.keys.live) && !log.includes("secret plan"));
});

test("health and readiness need no key", async () => {
  const [health, ready] = [await service.fetch("/healthz"), await service.fetch("/readyz")];

  assert.deepEqual([health.status, health.json], [200, { status: "ok" }]);
  assert.deepEqual(
    [ready.status, ready.json],
    [200, { status: "ok", checks: { database: "ok", queue: "ok", store: "ok" } }],
  );
});

test("metrics count requests by route and status, on a port of their own", async () => {
  await service.fetch("/healthz");

  const text = await (await fetch(service.metricsUrl ?? "")).text();

  assert.match(
    text,
    /greenlit_http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} [1-9]/,
  );
  assert.equal((await service.fetch("/metrics")).status, 404);
});

test("pages of an allowed origin may call, others get no permission; a preflight passes without a key", async () => {
  const preflight = (origin: string) =>
    service.fetch("/api/integrations/limits", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET" },
    });

  const [allowed, other] = [await preflight("https://console.example"), await preflight("https://evil.example")];

  assert.deepEqual(
    [allowed.status, allowed.headers.get("access-control-allow-origin")],
    [204, "https://console.example"],
  );
  assert.match(allowed.headers.get("access-control-allow-headers") ?? "", /X-API-Key/i);
  assert.deepEqual([other.status, other.headers.get("access-control-allow-origin")], [405, null]);
});

test("two services on one database share one limit", async () => {
  const at = new Date();
  const rateClock = () => at;
  await using first = await startTestService({ role: "api", rateClock });
  await using second = await startTestService({
    role: "api",
    rateClock,
    env: { DATABASE_URL: first.app.config.databaseUrl ?? "" },
  });
  const workspace = await first.newWorkspace({ plan: "starter" });
  const headers = { "x-api-key": workspace.keys.live };

  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      (index % 2 === 0 ? first : second).fetch("/api/integrations/limits", { headers }),
    ),
  );

  assert.equal(answers.filter(({ status }) => status === 200).length, 120);
  assert.equal(answers.filter(({ status }) => status === 429).length, 30);
});

/** The log is written a moment after the answer: waits for the first fitting line, and gives all lines of the request. */
async function logLinesOf(answer: { headers: Headers }, fits: (line: string) => boolean): Promise<string[]> {
  const id = answer.headers.get("x-request-id") ?? "-";
  let lines: string[] = [];
  await until(() => {
    lines = readFileSync(service.logTarget, "utf8")
      .split("\n")
      .filter((line) => line.includes(id));
    return lines.some(fits);
  });
  return lines;
}
