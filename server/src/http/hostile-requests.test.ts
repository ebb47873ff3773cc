import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { openRaw } from "../testing/raw-request.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";

let service: TestService;
let workspace: TestWorkspace;
/** The minute of a limit does not pass while a test uses it up. */
const startedAt = new Date();
before(async () => {
  service = await startTestService({ role: "api", rateClock: () => startedAt });
  workspace = await service.newWorkspace();
});
after(() => service[Symbol.asyncDispose]());

const withRequestId = /\r\nx-request-id: [0-9a-f-]{36}\r\n/i;

/** Sends one request and gives all of the answer; the server must end the connection. */
async function raw(head: string, options: { to?: string; body?: string } = {}): Promise<string> {
  await using connection = openRaw(options.to ?? service.url, `${head}\r\n\r\n${options.body ?? ""}`);
  return await connection.ended;
}

describe("answers that no route gives have our error body and a request id", () => {
  for (const [name, head, status, code] of [
    ["a request without Host", "GET /healthz HTTP/1.1", 400, "malformed_http"],
    ["two Host headers", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b", 400, "malformed_http"],
    [
      "an unknown Expect",
      "POST /api/integrations/submissions HTTP/1.1\r\nHost: x\r\nExpect: 200-ok",
      417,
      "expectation_failed",
    ],
    ["an invalid header", "GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1", 400, "malformed_http"],
    ["CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x", 405, "method_not_allowed"],
  ] as const)
    test(name, async () => {
      const answer = await raw(head);

      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(answer, withRequestId);
      assert.match(answer, new RegExp(`"error_code":"${code}","message":"`));
    });

  test("malformed bytes after a good request on the same connection", async () => {
    await using connection = openRaw(service.url, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    while (!connection.received().includes('"ok"')) await new Promise((resolve) => setImmediate(resolve));

    connection.socket.write("NONSENSE\r\n\r\n");

    assert.match(await connection.ended, /HTTP\/1\.1 200 .*HTTP\/1\.1 400 .*x-request-id: .*"malformed_http"/is);
  });

  test("HTTP/1.0 needs no Host", async () => {
    assert.match(await raw("GET /healthz HTTP/1.0"), /^HTTP\/1\.1 200 /);
  });
});

describe("a malformed Content-Type is 422", () => {
  for (const contentType of [
    "nonsense",
    "application/",
    "/json",
    "application/json;charset",
    "application/json; =x",
    '"',
    "a/b/c",
    ";",
    "application json",
  ])
    for (const path of ["/submissions", "/uploads/direct", "/webhooks"])
      test(`${JSON.stringify(contentType)} at ${path}`, async () => {
        const answer = await workspace.call("POST", path, { body: "{}", headers: { "content-type": contentType } });

        assert.equal(answer.status, 422, answer.text);
        assert.equal(answer.json["error_code"], "invalid_request");
      });
});

describe("the gates answer while the body has not arrived, and the connection ends", () => {
  const dripping = (path: string, headers: string) =>
    raw(`POST /api/integrations${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 1000000`, { body: "x" });

  for (const path of ["/submissions", "/uploads/direct", "/uploads/url"]) {
    test(`401 without a key at ${path}`, async () => {
      const answer = await dripping(path, "Content-Type: application/json\r\n");

      assert.match(answer, /^HTTP\/1\.1 401 .*connection: close/is);
      assert.match(answer, withRequestId);
    });

    test(`402 when the plan leaves it out at ${path}`, async () => {
      const { keys } = await service.newWorkspace({ plan: "free" });

      const answer = await dripping(path, `X-API-Key: ${keys.live}\r\nContent-Type: application/json\r\n`);

      assert.match(answer, /^HTTP\/1\.1 402 .*connection: close/is);
    });

    test(`422 for the content type at ${path}`, async () => {
      const answer = await dripping(path, `X-API-Key: ${workspace.keys.live}\r\nContent-Type: text/x\r\n`);

      assert.match(answer, /^HTTP\/1\.1 422 .*connection: close.*Content-Type/is);
    });
  }

  test("429 when the bucket is used up", async () => {
    const limited = await service.newWorkspace({ plan: "starter" });
    for (let sent = 0; sent < 30; sent++) await limited.call("POST", "/uploads/url", { body: {} });

    const answer = await dripping(
      "/uploads/direct",
      `X-API-Key: ${limited.keys.live}\r\nContent-Type: multipart/form-data; boundary=x\r\n`,
    );

    assert.match(answer, /^HTTP\/1\.1 429 .*connection: close/is);
  });

  test("404 for an unknown path and 405 for another method", async () => {
    assert.match(await dripping("/nothing", ""), /^HTTP\/1\.1 404 .*connection: close/is);
    assert.match(await dripping("/limits", ""), /^HTTP\/1\.1 405 .*connection: close/is);
  });

  test("a caller that waits for 100 Continue gets the refusal instead, and 100 when the gates are passed", async () => {
    const head =
      "POST /api/integrations/submissions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\nContent-Type: ";
    const refused = await raw(`${head}application/json`);
    const wrongType = await raw(`${head}text/x\r\nX-API-Key: ${workspace.keys.live}`);
    await using passed = openRaw(
      service.url,
      `${head}application/json\r\nX-API-Key: ${workspace.keys.live}\r\nConnection: close\r\n\r\n`,
    );
    while (!passed.received().includes("100 Continue")) await new Promise((resolve) => setImmediate(resolve));
    passed.socket.write("{}");

    assert.match(refused, /^HTTP\/1\.1 401 /);
    assert.match(wrongType, /^HTTP\/1\.1 422 /);
    assert.match(await passed.ended, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
  });

  test("at the store: 403 for a wrong signature", async () => {
    const answer = await raw("PUT /greenlit/media/a/b?sig=x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000", {
      to: service.storeUrl ?? "",
      body: "x",
    });

    assert.match(answer, /^HTTP\/1\.1 403 .*connection: close/is);
    assert.match(answer, withRequestId);
  });
});

describe("at the store, answers that no operation gives have Azure's XML and a request id", () => {
  for (const [name, head, status, code] of [
    ["a request without Host", "PUT /x HTTP/1.1\r\nContent-Length: 0", 400, "InvalidHeaderValue"],
    ["bytes that are no HTTP", "NONSENSE", 400, "InvalidInput"],
    ["oversized headers", `PUT /x HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(20_000)}`, 431, "RequestHeadersTooLarge"],
    [
      "an unknown Expect",
      "PUT /x HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 0",
      417,
      "InvalidHeaderValue",
    ],
  ] as const)
    test(name, async () => {
      const answer = await raw(head, { to: service.storeUrl ?? "" });

      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(answer, withRequestId);
      assert.match(answer, new RegExp(`<Code>${code}</Code>`));
    });
});

test("a NUL in any query parameter of any route is 422", async () => {
  const parameters = routes.flatMap((route) =>
    namesOf(route.query).map((name) => ({
      route,
      name,
    })),
  );
  assert.ok(parameters.length > 20);

  for (const { route, name } of parameters) {
    const path = route.path.replaceAll(/:(\w+)/g, () => randomUUID());
    const { status, text } = await workspace.call(route.method, `${path}?${name}=a%00b`, {
      mode: "sandbox",
      ...(route.body && { body: route.bodyExample ?? {} }),
    });

    assert.equal(status, 422, `${route.method} ${route.path} ${name}: ${text}`);
  }
});

function namesOf(query: Route["query"]): string[] {
  return query !== undefined && "properties" in query ? Object.keys(query.properties ?? {}) : [];
}
