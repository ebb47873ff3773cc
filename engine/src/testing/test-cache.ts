import { join } from "node:path";
import { openAnalysisCache } from "../analysis-cache.ts";
import type { AnalysisCache } from "../child.ts";
import type { Sidekick } from "../sidekick.ts";

/** One for all test files of a run: to make it takes seconds, and to do without takes two for every analysis. */
export function openTestCache(sidekicks: readonly Sidekick[]): (AnalysisCache & AsyncDisposable) | undefined {
  const folder = process.env["GREENLIT_TEST_CACHE"];
  if (folder === undefined) return undefined;
  return openAnalysisCache({ folder: join(folder, "engine"), sidekicks, sealKey: Buffer.alloc(32), warmUpAt: 1 });
}
