import assert from "node:assert/strict";
import { findChromium } from "@greenlit/sdk/src/testing/find-runtimes.ts";
import type { Browser, BrowserContext, Page } from "playwright-core";

export type TestBrowser = AsyncDisposable & {
  /** A page of somebody with a browser of their own. */
  open(options?: { width?: number; theme?: "light" | "dark" }): Promise<Page & { context(): BrowserContext }>;
  /** Fails with everything that went wrong in any page: errors, refused requests, violations of the policy. */
  assertQuiet(): void;
};

/** Undefined where no Chromium is installed. */
export async function startBrowser(): Promise<TestBrowser | undefined> {
  const executablePath = await findChromium();
  if (executablePath === undefined) return undefined;
  const { chromium } = await import("playwright-core");
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const troubles: string[] = [];
  return {
    async open({ width = 1440, theme = "light" } = {}) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
      const page = await context.newPage();
      // Far away: a busy machine fails no test.
      page.setDefaultTimeout(180_000);
      // Violations of the content security policy are console errors too.
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") troubles.push(message.text());
      });
      page.on("pageerror", (error) => troubles.push(error.message));
      page.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText ?? "";
        // The page itself lets go of streams and pictures that it no longer needs.
        if (reason !== "net::ERR_ABORTED") troubles.push(`${request.url()}: ${reason}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400) troubles.push(`${response.url()}: ${response.status()}`);
      });
      return page;
    },
    assertQuiet: () => assert.deepEqual(troubles.splice(0), []),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

export const noBrowser = "no Chromium is installed (apt-get install -y chromium)";
