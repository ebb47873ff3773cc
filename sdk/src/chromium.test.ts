import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { Browser } from "playwright-core";
import { findChromium } from "./testing/find-runtimes.ts";
import { bundleSuite, type Outcome, report, startSuiteService } from "./testing/run-suite.ts";

test("the suite passes in Chromium", { timeout: 900_000 }, async (t) => {
  const executablePath = await findChromium();
  if (executablePath === undefined) return t.skip("no Chromium is installed (apt-get install -y chromium)");
  const { chromium } = await import("playwright-core");
  await using stack = new AsyncDisposableStack();
  const { settings } = stack.use(await startSuiteService());
  const page = await openEmptyPage(stack, await chromium.launch({ executablePath, args: ["--no-sandbox"] }));
  await page.addScriptTag({ content: `${await bundleSuite("iife")};globalThis.runSuite = suite.runSuite;` });

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
