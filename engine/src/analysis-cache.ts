import { lstatSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { AnalysisCache } from "./child.ts";
import { fillCache } from "./fill-cache.ts";
import type { Sidekick } from "./sidekick.ts";

/**
 * What every analysis would work out again about our own code and rules: compiled modules and analysed patterns, which
 * take most of the time of a small file. Only a child that sees no foreign file writes it. An analysis that changed it
 * could change the results of all later files, so it is compared before each use, and made again when anything differs.
 */
export function openAnalysisCache(options: {
  /** A folder of this process, which does not exist yet. */
  folder: string;
  sidekicks: readonly Sidekick[];
  /** The analysis that starts the warm-up: those before it have nobody to share with. */
  warmUpAt?: number;
}): AnalysisCache & AsyncDisposable {
  const { folder, sidekicks, warmUpAt = 2 } = options;
  const stop = new AbortController();
  let analyses = 0;
  let warmUp: Promise<void> | undefined;
  let made: { folder: string; state: string } | undefined;
  let count = 0;

  async function make(): Promise<void> {
    count += 1;
    const fresh = join(folder, String(count));
    await mkdir(folder, { mode: 0o700, recursive: true });
    await fillCache(fresh, { sidekicks, signal: stop.signal });
    made = { folder: fresh, state: await stateOf(fresh) };
  }

  return {
    async use() {
      analyses += 1;
      if (made !== undefined) {
        const { folder: known, state } = made;
        if ((await stateOf(known).catch(() => "")) === state) return { folder: known, sidekicks };
        if (made?.folder === known) {
          made = undefined;
          warmUp = undefined;
        }
      }
      // Beside the analysis, which does without. One that fails is not tried again: everything works, only slower.
      if (analyses >= warmUpAt) warmUp ??= make().catch(() => undefined);
      return undefined;
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the cache is closed"));
      await warmUp;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Every file with the time of its last change (ctime), which no program can set: a forged file does not pass as the old
 * one. There are a hundred small files: one promise each would take four times as long, and all at once would hold up
 * the requests of a service that does everything in one process.
 */
export async function stateOf(folder: string): Promise<string> {
  const names = [".", ...(await readdir(folder, { recursive: true }))].toSorted();
  const states: string[] = [];
  for (const [index, name] of names.entries()) {
    const { ino, size, mode, ctimeMs } = lstatSync(join(folder, name));
    states.push(`${name} ${ino} ${size} ${mode} ${ctimeMs}`);
    if (index % 100 === 99) await setImmediate();
  }
  return states.join("\n");
}
