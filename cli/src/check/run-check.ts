import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAnalysisCache } from "@greenlit/engine/analysis-cache.ts";
import type { AnalysisCache } from "@greenlit/engine/child.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { builtInPacksFolder, loadPacks, type Pack } from "@greenlit/engine/rules/load-packs.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { CommandError } from "../command-error.ts";
import type { CheckCommand } from "./check-command.ts";
import { type CheckedFile, checkFile } from "./check-file.ts";
import { createProgressBar } from "./progress-bar.ts";
import { printTable, reportFiles } from "./report-files.ts";

/** Checks the files one after the other and reports; the answer is the exit code. */
export async function runCheck(paths: readonly string[], options: CheckCommand): Promise<number> {
  const packs = await loadPacks([builtInPacksFolder, ...options.packs]);
  const sidekicks = chooseSidekicks(packs, options.sidekick);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort(new CommandError("Stopped.")));
  }

  await using stack = new AsyncDisposableStack();
  const models = stack.use(openModels());
  // Fewer files are done before the cache has paid for itself.
  const cache = paths.length > 3 ? await openCache(stack, sidekicks) : undefined;
  const bar = createProgressBar({ isShown: process.stderr.isTTY && !options.json, total: paths.length });
  const files: CheckedFile[] = [];
  for (const path of paths) {
    const onProgress = bar.next(path);
    const file = await checkFile(path, {
      sidekicks,
      context: options.context ?? {},
      wantsFrames: options.html !== undefined,
      models,
      cache,
      signal: stop.signal,
      onProgress,
    });
    bar.clear();
    files.push(file);
    if (!options.json) printTable(file);
  }

  return reportFiles(files, { ...options, readRules: async () => sidekicks.flatMap(({ rules }) => rules) });
}

async function openCache(stack: AsyncDisposableStack, sidekicks: readonly Sidekick[]): Promise<AnalysisCache> {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-check-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return stack.use(openAnalysisCache({ folder: join(folder, "cache"), sidekicks, warmUpAt: 1 }));
}

function chooseSidekicks(packs: readonly Pack[], wanted: readonly string[]): Sidekick[] {
  if (wanted.length === 0) return packs.flatMap(({ sidekick }) => (sidekick.isDefault ? [sidekick] : []));
  return wanted.map((name) => {
    const found = packs.find(
      ({ sidekick, folder }) =>
        [sidekick.sidekickId, sidekick.name.toLowerCase()].includes(name.toLowerCase()) || folder.endsWith(`/${name}`),
    );
    if (found !== undefined) return found.sidekick;
    const names = packs.map(({ sidekick }) => sidekick.name).join(", ");
    throw new CommandError(`There is no sidekick "${name}". There are: ${names}.`);
  });
}
