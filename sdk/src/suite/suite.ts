import { clientCases } from "./client-cases.ts";
import { retryCases } from "./retry-cases.ts";
import type { SuiteCase, SuiteSettings } from "./suite-case.ts";
import { uploadCases } from "./upload-cases.ts";
import { webhookCases } from "./webhook-cases.ts";

export const cases: readonly SuiteCase[] = [...clientCases, ...uploadCases, ...retryCases, ...webhookCases];

/** Runs every case in whatever runtime this is, with nothing but what browsers have too. */
export async function runSuite(settings: SuiteSettings): Promise<{ name: string; error: string | null }[]> {
  const outcomes: { name: string; error: string | null }[] = [];
  for (const { name, run } of cases) {
    try {
      await run(settings);
      outcomes.push({ name, error: null });
    } catch (error) {
      outcomes.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
  return outcomes;
}
