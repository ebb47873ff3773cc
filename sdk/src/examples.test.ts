import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";
import Fastify from "fastify";
import { Webhook } from "standardwebhooks";
import { findChromium, findOtherNode } from "./testing/find-runtimes.ts";

const run = promisify(execFile);
const sdk = join(import.meta.dirname, "..");
const secret = `whsec_${Buffer.from("a secret of at least 24 bytes").toString("base64")}`;

/** Every line of it would be an error, were its type `any` or missing. */
const program = `
import { createGreenlit, NotFoundError, type Issue, type WebhookEvent } from "@greenlit/sdk";
const greenlit = createGreenlit({ apiKey: "sk_test_" });
const { blobPath } = await greenlit.upload(new Blob(["text"]), { filename: "note.txt" });
const { submissionId } = await greenlit.submissions.create({ assets: [{ blobPath }] });
const { assets: [asset] } = await greenlit.submissions.waitUntilDone(submissionId);
for await (const issue of greenlit.assets.issues(submissionId, asset?.assetId ?? "")) {
  const same: Issue = issue;
  // @ts-expect-error
  const severity: number = same.severity;
}
for await (const review of greenlit.reviews.list({ severity: "CRITICAL" })) review.state satisfies string;
// @ts-expect-error
await greenlit.submissions.create({ assets: [{ path: blobPath }] });
// @ts-expect-error
greenlit.nothing;
export const nameOf = (event: WebhookEvent) => (event.type === "asset.processing.failed" ? event.data.error_message : "");
export const isMissing = (error: unknown) => error instanceof NotFoundError && error.code === "not_found";
`;

let folder: string;
let tarball: string;
let service: TestService;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-examples-"));
  service = await startTestService({ env: { GREENLIT_CORS_ORIGINS: "*" } });
  // As a user has it: the packed files in node_modules, nothing of this repository beside them.
  const { stdout } = await run("npm", ["pack", "--pack-destination", folder], { cwd: sdk });
  const target = join(folder, "node_modules/@greenlit/sdk");
  await mkdir(target, { recursive: true });
  tarball = join(folder, stdout.trim());
  await run("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  await cp(join(sdk, "examples"), folder, { recursive: true });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/**
 * The aim was 12 kB for everything. Gzipped, the code is 9.2 kB, licence, manifest and README are 1.5, and the 620 names
 * and values that only the types have are 3.2 before anything says which belong together (9.4 with that): 12 would do
 * for the code, or for the types, of 101 operations, not for both.
 */
test("the package needs no other, has under 10 kB of code and 21 kB with all types, and its types stand alone", async () => {
  const target = join(folder, "node_modules/@greenlit/sdk");
  const files = await readdir(join(target, "dist"));
  const { dependencies } = JSON.parse(await readFile(join(target, "package.json"), "utf8")) as {
    dependencies?: unknown;
  };
  const code = await readFile(join(target, "dist/index.js"));
  const { size } = await stat(tarball);

  assert.equal(dependencies, undefined);
  assert.deepEqual(files, ["index.d.ts", "index.js"]);
  assert.ok(gzipSync(code).length < 10_000, `${gzipSync(code).length} bytes`);
  assert.doesNotMatch(code.toString(), /from\s*"|require\(/);
  assert.ok(size < 21_000, `${size} bytes packed`);
  await writeFile(join(folder, "user.mts"), program);
  const libraries = "es2023,dom,dom.iterable,dom.asynciterable";
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", libraries];
  await run(join(sdk, "../node_modules/.bin/tsc"), [...options, "--skipLibCheck", "false", "--types", "", "user.mts"], {
    cwd: folder,
  });
});

test("submit-and-wait prints the end of the submission", async () => {
  const { keys } = await service.newWorkspace();
  const file = join(folder, "note.txt");
  await writeFile(file, "A plain note.\n");
  const node = (await findOtherNode())?.path ?? process.execPath;

  const { stdout } = await run(node, [join(folder, "submit-and-wait.mjs"), file], {
    env: { GREENLIT_URL: service.url, GREENLIT_API_KEY: keys.live },
  });

  assert.match(stdout, /complete\n$/);
});

test("the three receivers take a genuine webhook with 204 and refuse a forged one with 400", async () => {
  process.env["GREENLIT_WEBHOOK_SECRET"] = secret;
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href) as Promise<Record<string, never>>;
  const { POST } = (await load("webhook-request.mjs")) as unknown as { POST: (request: Request) => Promise<Response> };
  const { receiveWebhook } = (await load("webhook-express.mjs")) as unknown as {
    receiveWebhook: (request: object, response: object, next: (error: unknown) => void) => Promise<void>;
  };
  const { receiveWebhooks } = (await load("webhook-fastify.mjs")) as unknown as {
    receiveWebhooks: () => Promise<void>;
  };
  await using stack = new AsyncDisposableStack();
  const fastify = Fastify();
  stack.defer(() => fastify.close());
  await fastify.register(receiveWebhooks);
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  // What express.raw does.
  const express = createServer((request, response) => {
    void request.toArray().then(async (chunks) => {
      const body = Buffer.concat(chunks as Buffer[]);
      await receiveWebhook(Object.assign(request, { body }), response, assert.ifError);
    });
  });
  await new Promise<void>((resolve) => express.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void express.close());
  const address = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const body = JSON.stringify({ type: "asset.processing.completed", data: { filename: "ad.mp4" } });
  const now = new Date();
  const headers = {
    "content-type": "application/json",
    connection: "close",
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
  };
  const statuses = [];
  for (const text of [body, `${body} `]) {
    const init = { method: "POST", headers, body: text };
    statuses.push([
      (await POST(new Request("http://localhost/", init))).status,
      (await fetch(address(express), init)).status,
      (await fetch(`${address(fastify.server)}/webhooks/greenlit`, init)).status,
    ]);
  }

  assert.deepEqual(statuses, [
    [204, 204, 204],
    [400, 400, 400],
  ]);
});

test("the page uploads a file and shows how it ended", { timeout: 900_000 }, async (t) => {
  const executablePath = await findChromium();
  if (executablePath === undefined) return t.skip("no Chromium is installed (apt-get install -y chromium)");
  const { keys } = await service.newWorkspace();
  const { chromium } = await import("playwright-core");
  await using stack = new AsyncDisposableStack();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  stack.defer(() => browser.close());
  const server = createServer((request, response) => {
    const isCode = request.url?.startsWith("/index.js") === true;
    const file = isCode ? "node_modules/@greenlit/sdk/dist/index.js" : "browser-upload.html";
    response.setHeader("content-type", isCode ? "text/javascript" : "text/html");
    void readFile(join(folder, file)).then((bytes) => response.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void server.close());
  stack.defer(() => server.closeAllConnections());
  const page = await browser.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?server=${service.url}`);

  await page.fill("#key", keys.sandbox);
  await page.setInputFiles("#file", { name: "page.txt", mimeType: "text/plain", buffer: Buffer.from("A note.") });
  await page.waitForFunction("document.querySelector('#result').textContent !== ''");

  assert.match((await page.textContent("#result")) ?? "", /page\.txt is complete$/);
});
