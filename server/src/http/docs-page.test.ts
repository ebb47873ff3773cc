import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Type } from "typebox";
import { startTestService, type Answer, type TestService } from "../testing/test-service.ts";
import type { OpenApiDocument } from "./docs/openapi-document.ts";
import { renderPage } from "./docs/page.ts";
import { defineRoute } from "./route.ts";
import { createServer } from "./server.ts";

let service: TestService;
before(async () => {
  service = await startTestService({ env: { GREENLIT_CORS_ORIGINS: "https://app.example" } });
});
after(() => service[Symbol.asyncDispose]());

/** What a browser fetches for the page by itself: links to click are not among it. */
function loadedBy(page: string): string[] {
  return [...page.matchAll(/<(?:link|script|img|iframe|source|object|embed)\b[^>]*?(?:href|src|data)="([^"]*)"/g)].map(
    ([, address = ""]) => address,
  );
}

function textOf(page: string): string {
  return page.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

async function readAssets(): Promise<(Answer & { path: string })[]> {
  const page = await service.fetch("/docs");
  const paths = new Set(loadedBy(page.text).map((address) => new URL(address, `${service.url}/docs`)));
  return Promise.all([...paths].map(async ({ pathname }) => ({ path: pathname, ...(await service.fetch(pathname)) })));
}

test("the page shows every operation of the document to anyone", async () => {
  const document = (await service.fetch("/api/integrations/openapi.json")).json as unknown as OpenApiDocument;

  const page = await service.fetch("/docs");

  assert.equal(page.status, 200);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  assert.ok(operations.length > 0);
  for (const { operationId } of operations) assert.ok(page.text.includes(`id="${operationId}"`), operationId);
  assert.ok(textOf(page.text).includes(`${service.url}/api/integrations/limits`));
});

test("every file of the page is there with its type, and browsers may keep it", async () => {
  const assets = await readAssets();

  const types = assets.map(({ path, headers }) => `${path.split(".").at(-1)} ${headers.get("content-type")}`);
  assert.deepEqual([...new Set(types)].toSorted(), [
    "css text/css; charset=utf-8",
    "js text/javascript; charset=utf-8",
    "svg image/svg+xml",
  ]);
  for (const { path, status, headers } of assets) {
    assert.equal(status, 200, path);
    assert.match(path, /^\/docs\/\w+\.[0-9a-f]{12}\.\w+$/);
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
  }
});

test("nothing of another origin is loaded, nor allowed to be", async () => {
  const page = await service.fetch("/docs");
  const assets = await readAssets();

  assert.ok(loadedBy(page.text).every((address) => address.startsWith("docs/")));
  assert.doesNotMatch(page.text, /<style|style="|\son\w+="|<script(?![^>]*\ssrc=)/);
  for (const { path, text } of assets) {
    assert.doesNotMatch(text, /url\(|@import|\bimport\b|\bfetch\(|XMLHttpRequest|sendBeacon|sourceMappingURL/, path);
    assert.doesNotMatch(text.replace('xmlns="http://www.w3.org/2000/svg"', ""), /\/\/[\w-]+\.\w/, path);
  }
  for (const { headers } of [page, ...assets]) {
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|http|\*|data:/);
  }
});

test("every link within the page has its place", async () => {
  const { text } = await service.fetch("/docs");

  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "an id is there twice");
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), target);
});

test("HEAD answers without a body, /docs/ leads to /docs, and other paths and methods are refused", async () => {
  const head = await service.fetch("/docs", { method: "HEAD" });
  const slash = await service.fetch("/docs/");
  const unknown = await service.fetch("/docs/page.ts");
  const method = await service.fetch("/docs", { method: "POST" });

  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal(head.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(slash.status, 308);
  assert.equal(new URL(slash.headers.get("location") ?? "", `${service.url}/docs/`).pathname, "/docs");
  assert.equal(unknown.status, 404);
  assert.deepEqual([method.status, method.headers.get("allow")], [405, "GET, HEAD"]);
});

test("the page is asked for again but sent only when it changed, zipped for those who can read it", async () => {
  const zipped = await service.fetch("/docs", { headers: { "accept-encoding": "gzip" } });
  const plain = await service.fetch("/docs", { headers: { "accept-encoding": "identity" } });
  const etag = plain.headers.get("etag") ?? "";
  const again = await service.fetch("/docs", { headers: { "if-none-match": etag } });

  assert.deepEqual(
    [zipped, plain].map(({ headers }) => headers.get("content-encoding")),
    ["gzip", null],
  );
  assert.equal(zipped.text, plain.text);
  assert.equal(plain.headers.get("cache-control"), "no-cache");
  assert.equal(plain.headers.get("vary"), "Origin, Accept-Encoding");
  assert.deepEqual([again.status, again.text], [304, ""]);
});

test("nested fields, limits, unions and a command to copy come from the schemas of a route", async () => {
  const Clip = Type.Object(
    { seconds: Type.Number({ minimum: 0, maximum: 30 }), note: Type.Optional(Type.String()) },
    { title: "Clip" },
  );
  const route = defineRoute({
    method: "POST",
    path: "/clips/:clipId/cuts",
    bucket: "submission_write",
    role: "reviewer",
    operationId: "cutClip",
    tag: "Account",
    summary: "Cut a clip",
    description: "Cuts <b>it</b>.\n\n- **Fast**, see [why](https://example.com/why)\n- not [this](javascript:alert(1))",
    params: Type.Object({ clipId: Type.String({ format: "uuid" }) }),
    query: Type.Object({ quality: Type.Unsafe<string>({ type: "string", enum: ["low", "high"] }) }),
    body: Type.Object({ label: Type.String({ examples: ["it's"] }), clips: Type.Array(Clip, { minItems: 1 }) }),
    responses: { 200: { description: "Cut.", schema: Type.Union([Clip, Type.Null()]) } },
    failures: [],
    handler: async () => ({ status: 200, body: null }),
  });
  await using server = createServer(service.app, { table: [route] });

  const page = (await server.inject({ url: "/docs" })).body;

  const text = textOf(page);
  assert.match(page, /Cuts &lt;b&gt;it&lt;\/b&gt;\./);
  assert.match(page, /<strong>Fast<\/strong>, see <a href="https:\/\/example\.com\/why">why<\/a>/);
  assert.doesNotMatch(page, /href="javascript:/);
  assert.match(text, /clips array of Clip required at least 1 element Fields of Clip seconds number required 0 to 30/);
  assert.match(text, /quality string required One of low high/);
  assert.match(text, /Response 200 Cut\. Clip or null seconds number 0 to 30 note string optional/);
  assert.match(text, /\/api\/integrations\/clips\/\$CLIP_ID\/cuts\?quality=low&quot;/);
  assert.match(text, /&quot;label&quot;: &quot;it&#39;\\&#39;&#39;s&quot;/);
});

test("the events of a channel are a table, an example that is no JSON stands as it is sent, and bytes are only named", async () => {
  const { text } = await service.fetch("/docs");

  const [channel = "", frame = ""] = ["openChannel", "readIssueFrame"].map(
    (id) => text.split(`id="${id}"`)[1]?.split("</section>")[0],
  );
  assert.match(channel, /<th scope="col">event<\/th>/);
  assert.match(channel, /<td><code>asset\.restarted<\/code><\/td>/);
  assert.match(channel, /id: 7\nevent: asset\.completed\ndata: \{&quot;event&quot;/);
  assert.match(textOf(frame), /Response 200 image\/jpeg/);
});

test("a schema that holds itself ends", () => {
  const Topic = { type: "object", properties: { subtopics: { type: "array", items: { $ref: "#/c/schemas/Topic" } } } };
  const content = { "application/json": { schema: { $ref: "#/c/schemas/Topic" } } };
  const document: OpenApiDocument = {
    info: { title: "Recursive", version: "1" },
    paths: { "/topics": { get: { responses: { 200: { description: "Topics.", content } } } } },
    components: { schemas: { Topic } },
  };

  const page = renderPage(document, { style: "s", script: "j", icon: "i", document: "d" });

  assert.match(page, /array of Topic/);
});
