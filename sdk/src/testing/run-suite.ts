import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { startTestService } from "@greenlit/server/testing/test-service.ts";
import { build } from "esbuild";
import type { SuiteSettings } from "../suite/suite-case.ts";
import { cases } from "../suite/suite.ts";

export type Outcome = { name: string; error: string | null }[];

/** A service that pages of every origin may call, and what the suite needs to know of it. */
export async function startSuiteService(): Promise<AsyncDisposable & { settings: SuiteSettings }> {
  const service = await startTestService({ env: { GREENLIT_CORS_ORIGINS: "*" } });
  const { keys } = await service.newWorkspace();
  return {
    settings: { baseUrl: service.url, liveKey: keys.live, sandboxKey: keys.sandbox },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

export async function bundleSuite(format: "esm" | "iife"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../suite/suite.ts")],
    bundle: true,
    write: false,
    format,
    target: "es2022",
    ...(format === "iife" && { globalName: "suite" }),
  });
  return outputFiles[0]?.text ?? "";
}

export async function report(t: TestContext, outcome: Outcome): Promise<void> {
  assert.equal(outcome.length, cases.length);
  for (const { name, error } of outcome) await t.test(name, () => assert.equal(error, null));
}
