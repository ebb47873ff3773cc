import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { cases, runSuite } from "./suite/suite.ts";
import type { SuiteSettings } from "./suite/suite-case.ts";
import { findChromium, findOtherNode } from "./testing/find-runtimes.ts";

type Outcome = { name: string; error: string | null }[];

let service: TestService;
let settings: SuiteSettings;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-sdk-"));
  service = await startTestService({ env: { GREENLIT_CORS_ORIGINS: "*" } });
  const { keys } = await service.newWorkspace();
  settings = { baseUrl: service.url, liveKey: keys.live, sandboxKey: keys.sandbox };
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test(`the suite passes in Node ${process.version}`, async (t) => {
  await report(t, await runSuite(settings));
});

test("the suite passes in the machine's own Node", async (t) => {
  const node = await findOtherNode();
  if (node === undefined) return t.skip("no other Node is installed");
  const file = join(folder, "suite.mjs");
  await writeFile(
    file,
    `${await bundle("esm")}\nconsole.log(JSON.stringify(await runSuite(${JSON.stringify(settings)})));`,
  );

  const { stdout } = await promisify(execFile)(node.path, [file], { env: {}, maxBuffer: 2 ** 24 });

  t.diagnostic(node.version);
  await report(t, JSON.parse(stdout) as Outcome);
});

test("the suite passes in a realm that has nothing of Node, only what the web has", async (t) => {
  const { fetch, Headers, Request, Response, FormData, Blob, ReadableStream, URL, URLSearchParams } = globalThis;
  const { AbortController, TextEncoder, TextDecoder, crypto, atob, btoa, structuredClone } = globalThis;
  const web = { fetch, Headers, Request, Response, FormData, Blob, ReadableStream, URL, URLSearchParams };
  const more = { AbortController, TextEncoder, TextDecoder, crypto, atob, btoa, structuredClone, setTimeout };
  const context = createContext({
    clearTimeout,
    Uint8Array,
    ...web,
    ...more,
    settings,
  });
  runInContext(`${await bundle("iife")};globalThis.runSuite = suite.runSuite;`, context);

  const outcome = (await runInContext("runSuite(settings).then(JSON.stringify)", context)) as string;

  assert.equal(runInContext("typeof process + typeof Buffer + typeof require", context), "undefined".repeat(3));
  await report(t, JSON.parse(outcome) as Outcome);
});

test("the suite passes in Chromium", { timeout: 900_000 }, async (t) => {
  const executablePath = await findChromium();
  if (executablePath === undefined) return t.skip("no Chromium is installed (apt-get install -y chromium)");
  const { chromium } = await import("playwright-core");
  await using stack = new AsyncDisposableStack();
  const page = await openEmptyPage(stack, await chromium.launch({ executablePath, args: ["--no-sandbox"] }));
  await page.addScriptTag({ content: `${await bundle("iife")};globalThis.runSuite = suite.runSuite;` });

  const outcome = await page.evaluate(`runSuite(${JSON.stringify(settings)})`);

  await report(t, outcome as Outcome);
});

async function openEmptyPage(stack: AsyncDisposableStack, browser: Browser) {
  stack.defer(() => browser.close());
  // A page of another origin, as an integrator's is.
  const server = createServer((_, reply) => reply.setHeader("content-type", "text/html").end("<!doctype html>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void server.close());
  stack.defer(() => server.closeAllConnections());
  const page = await browser.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return page;
}

async function bundle(format: "esm" | "iife"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "suite/suite.ts")],
    bundle: true,
    write: false,
    format,
    target: "es2022",
    ...(format === "iife" && { globalName: "suite" }),
  });
  return outputFiles[0]?.text ?? "";
}

async function report(t: TestContext, outcome: Outcome): Promise<void> {
  assert.equal(outcome.length, cases.length);
  for (const { name, error } of outcome) await t.test(name, () => assert.equal(error, null));
}
