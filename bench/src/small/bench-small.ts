import { availableParallelism } from "node:os";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { openAnalysisCache } from "@greenlit/engine/analysis-cache.ts";
import type { AnalysisRequest } from "@greenlit/engine/analyze.ts";
import { type AnalysisCache, runAnalysisInChild } from "@greenlit/engine/child.ts";
import { spawnJailed } from "@greenlit/engine/jail/jail.ts";
import { workerPaths } from "@greenlit/engine/jail/worker-code.ts";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import { judgeWithAll } from "@greenlit/engine/rules/self-test.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { atMost, type Bench, rounded, say } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { openScratchFolder } from "../scratch.ts";
import { measureService } from "./measure-service.ts";

const text = "Our cream cures arthritis in a week. Guaranteed.";
const limits = { memoryBytes: 512 * 2 ** 20, timeoutSeconds: 60 };
const timesEach = 10;

export const benchSmall: Bench = {
  about: "What a one-sentence text costs beyond its work in a warm process, against the start of a bare jailed Node.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    const file = join(folder, "sentence.txt");
    await writeFile(file, text);
    const sidekicks = (await loadPacks()).flatMap(({ sidekick }) => (sidekick.isDefault ? [sidekick] : []));
    const cache = stack.use(
      openAnalysisCache({ folder: join(folder, "cache"), sidekicks, sealKey: randomBytes(32), warmUpAt: 1 }),
    );
    say("making the cache");
    await untilMade(cache);
    const mediaType = { contentType: "text/plain", category: "document" } as const;
    const request: AnalysisRequest = { file, mediaType, sidekicks, context: {} };
    const analyze = () => runAnalysisInChild(request, { ...limits, cache });

    const { medians } = await takeTurns(
      { rounds: 5, unit: "ms" },
      {
        bare: () => millisecondsEach(startBareNode),
        asset: () => millisecondsEach(analyze),
        work: () => millisecondsEach(async () => judge(sidekicks)),
      },
    );
    const overhead = (medians.asset - medians.work) / medians.bare;
    return {
      bars: [atMost("cost of a text beyond its work, in starts of a bare jailed Node", overhead, 2)],
      figures: {
        milliseconds: medians,
        textsPerSecond: rounded(await assetsPerSecond(analyze)),
        throughTheService: await measureService(stack, { text }),
      },
    };
  },
};

/** The same rules over the same text in this process, which has everything loaded. */
function judge(sidekicks: readonly Sidekick[]): void {
  judgeWithAll(sidekicks, { text, on: "document", context: {} });
}

async function startBareNode(): Promise<void> {
  const child = await spawnJailed({
    program: process.execPath,
    args: () => ["-e", "0"],
    inputFile: null,
    visiblePaths: await workerPaths(),
    limits: { dataBytes: 2 ** 30, cpuSeconds: 10 },
    timeoutSeconds: 60,
  });
  child.pipe(1).resume();
  await child.ended;
}

async function millisecondsEach(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let time = 0; time < timesEach; time++) await run();
  return (performance.now() - startedAt) / timesEach;
}

/** As many at once as the cores carry. */
async function assetsPerSecond(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let left = 40;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return 40_000 / (performance.now() - startedAt);
}

async function untilMade(cache: AnalysisCache): Promise<void> {
  while ((await cache.use()) === undefined) await setTimeout(50);
}
