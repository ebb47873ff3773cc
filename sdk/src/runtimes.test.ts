import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { runSuite } from "./suite/suite.ts";
import { bundleSuite, type Outcome, report, startSuiteService } from "./testing/run-suite.ts";
import { findOtherNode } from "./testing/find-runtimes.ts";

const folder = await mkdtemp(join(tmpdir(), "greenlit-sdk-"));
const service = await startSuiteService();
const { settings } = service;
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
    `${await bundleSuite("esm")}\nconsole.log(JSON.stringify(await runSuite(${JSON.stringify(settings)})));`,
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
  runInContext(`${await bundleSuite("iife")};globalThis.runSuite = suite.runSuite;`, context);

  const outcome = (await runInContext("runSuite(settings).then(JSON.stringify)", context)) as string;

  assert.equal(runInContext("typeof process + typeof Buffer + typeof require", context), "undefined".repeat(3));
  await report(t, JSON.parse(outcome) as Outcome);
});
