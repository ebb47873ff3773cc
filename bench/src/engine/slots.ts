import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openAnalysisCache } from "@greenlit/engine/analysis-cache.ts";
import { runAnalysisInChild } from "@greenlit/engine/child.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import { rounded, say } from "../report.ts";
import { openScratchFolder } from "../scratch.ts";

const slots = [1, 2, 4];
const limits = { memoryBytes: 2 ** 30, timeoutSeconds: 600 };

type Rate = { assetsPerMinute: number; shareOfLinear: number };

/** Whole analyses as a worker runs them, so many at once, each slot one after the other. Linear: so many times one slot. */
export async function measureSlots(
  stack: AsyncDisposableStack,
  options: { file: string; assetsEach: number },
): Promise<Record<string, Rate>> {
  const folder = await openScratchFolder(stack);
  const sidekicks = (await loadPacks()).flatMap(({ sidekick }) => (sidekick.isDefault ? [sidekick] : []));
  const cache = stack.use(
    openAnalysisCache({ folder: join(folder, "cache"), sidekicks, sealKey: randomBytes(32), warmUpAt: 1 }),
  );
  const models = stack.use(openModels());
  const mediaType = { contentType: "video/mp4", category: "video" } as const;
  const analyze = () =>
    runAnalysisInChild({ file: options.file, mediaType, sidekicks, context: {} }, { ...limits, cache, models });
  // The first loads the models and makes the cache.
  await analyze();

  const rates: Record<string, Rate> = {};
  let single = Number.NaN;
  for (const count of slots) {
    const startedAt = performance.now();
    const oneSlot = async () => {
      for (let asset = 0; asset < options.assetsEach; asset++) await analyze();
    };
    await Promise.all(Array.from({ length: count }, oneSlot));
    const assetsPerMinute = (count * options.assetsEach * 60_000) / (performance.now() - startedAt);
    if (count === 1) single = assetsPerMinute;
    rates[count] = {
      assetsPerMinute: rounded(assetsPerMinute),
      shareOfLinear: rounded(assetsPerMinute / count / single),
    };
    say(`${count} at once: ${rounded(assetsPerMinute)} assets a minute`);
  }
  return rates;
}
