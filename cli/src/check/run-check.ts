import { availableParallelism } from "node:os";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { CommandError } from "../command-error.ts";
import type { CheckCommand } from "./check-command.ts";
import { type CheckedFile, type CheckOptions, checkFile } from "./check-file.ts";
import { type ChosenPack, openKeptCache } from "./kept-cache.ts";
import { createProgressBar } from "./progress-bar.ts";
import { printLine, printTable, reportFiles } from "./report-files.ts";

/** Checks the files, as many at once as the cores carry, and reports; the answer is the exit code. */
export async function runCheck(paths: readonly string[], options: CheckCommand): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort(new CommandError("Stopped.")));
  }
  const cache = await openKeptCache(options.packs);
  const sidekicks = chooseSidekicks(cache?.packs ?? (await loadPacks(options.packs)), options.sidekick);

  // Loaded only where markets are asked for, with the parser of rules.
  const matrix = options.markets === undefined ? undefined : await import("./judge-markets.ts");
  const markets = await matrix?.chooseMarkets(options.markets ?? "");
  await using models = openModels();
  const isForPeople = !options.json && !options.ndjson;
  const bar = createProgressBar({ isShown: process.stderr.isTTY && isForPeople, total: paths.length });
  const files = await checkAll(paths, {
    sidekicks,
    context: options.context ?? {},
    wantsFrames: options.html !== undefined,
    markets,
    models,
    cache,
    signal: stop.signal,
    onStart: (path) => bar.next(path),
    onDone: (file) => options.ndjson && printLine(file),
    // The table of a file waits for those before it, so that two runs print the same.
    onNext: (file) => {
      bar.clear();
      if (isForPeople) printTable(file);
      if (isForPeople && matrix && file.verdicts) console.log(matrix.describeMarkets(file.verdicts).join("\n"));
    },
  });
  return reportFiles(files, { ...options, readRules: async () => sidekicks.flatMap(({ rules }) => rules) });
}

async function checkAll(
  paths: readonly string[],
  options: Omit<CheckOptions, "onProgress"> & {
    onStart: (path: string) => (fraction: number) => void;
    onDone: (file: CheckedFile) => void;
    onNext: (file: CheckedFile) => void;
  },
): Promise<CheckedFile[]> {
  const files = new Map<number, CheckedFile>();
  const waiting = paths.entries();
  let next = 0;
  async function work(): Promise<void> {
    for (const [index, path] of waiting) {
      const file = await checkFile(path, { ...options, onProgress: options.onStart(path) });
      files.set(index, file);
      options.onDone(file);
      for (let ready = files.get(next); ready !== undefined; ready = files.get(next)) {
        options.onNext(ready);
        next += 1;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), paths.length) }, work));
  return paths.flatMap((_, index) => files.get(index) ?? []);
}

async function loadPacks(folders: readonly string[]): Promise<readonly ChosenPack[]> {
  // Loaded only here: a check from the cache does without the parser of rules.
  const { builtInPacksFolder, loadPacks: load } = await import("@greenlit/engine/rules/load-packs.ts");
  return load([builtInPacksFolder, ...folders]);
}

function chooseSidekicks(packs: readonly ChosenPack[], wanted: readonly string[]): Sidekick[] {
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
