import { createHash, createHmac } from "node:crypto";
import { createReadStream, lstatSync, readdirSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AnalysisCache } from "./child.ts";
import { codeState } from "./code-state.ts";
import { fillCache } from "./fill-cache.ts";
import type { Sidekick } from "./sidekick.ts";

const maxKept = 3;
const sealName = "seal";

/**
 * What every analysis would work out again about our own code and rules: compiled modules and analysed patterns, which
 * take most of the time of a small file. Only a child that sees no foreign file writes it. An analysis that changed it
 * could change the results of all later files, so it is compared before each use, and made again when anything differs.
 */
export function openAnalysisCache(options: {
  /** Kept from start to start, and shared by the processes of one user. It need not exist. */
  folder: string;
  sidekicks: readonly Sidekick[];
  /** Who does not know it cannot leave a forged cache for the next start. */
  sealKey: Buffer;
  /** The analysis that starts the warm-up where nothing was kept: those before it have nobody to share with. */
  warmUpAt?: number;
}): AnalysisCache & AsyncDisposable {
  const { folder, sidekicks, sealKey, warmUpAt = 2 } = options;
  const place = join(folder, nameFor(sidekicks));
  const stop = new AbortController();
  let analyses = 0;
  let count = 0;
  let opened: Promise<string | undefined> | undefined;
  let warmUp: Promise<void> | undefined;

  /** The state of what is kept, when the seal is ours. */
  async function open(): Promise<string | undefined> {
    try {
      if (!isOursAlone(folder)) return undefined;
      const state = stateOf(place);
      const seal = await readFile(join(place, sealName), "utf8");
      return seal === (await sealOf(place, sealKey)) ? state : undefined;
    } catch {
      return undefined;
    }
  }

  async function make(): Promise<void> {
    count += 1;
    await mkdir(folder, { mode: 0o700, recursive: true });
    if (!isOursAlone(folder)) return;
    // Another process may have made it since we looked.
    if ((await open()) !== undefined) {
      opened = undefined;
      return;
    }
    const unfinished = `${place}.${process.pid}.${count}`;
    try {
      await fillCache(unfinished, { sidekicks, signal: stop.signal });
      await writeFile(join(unfinished, sealName), await sealOf(unfinished, sealKey), { mode: 0o444 });
      // Another process may have been faster; what it made is as good, unless somebody changed it.
      if ((await open()) === undefined) {
        await rm(place, { recursive: true, force: true });
        await rename(unfinished, place);
      }
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
    await keepNewest(folder, maxKept);
    opened = undefined;
  }

  return {
    async use() {
      analyses += 1;
      opened ??= open();
      const state = await opened;
      if (state !== undefined) {
        if (isStill(place, state)) return { folder: place, sidekicks };
        // Made again by another process, or forged: its seal will tell.
        opened = undefined;
        warmUp = undefined;
      }
      // Beside the analysis, which does without. One that fails is not tried again: everything works, only slower.
      if (analyses >= warmUpAt) warmUp ??= make().catch(() => undefined);
      return undefined;
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the cache is closed"));
      await warmUp;
    },
  };
}

/** Nobody else could put anything in there after it was looked at. */
function isOursAlone(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Another code, other rules or another Node: another cache. */
function nameFor(sidekicks: readonly Sidekick[]): string {
  return createHash("sha256").update(codeState([])).update(JSON.stringify(sidekicks)).digest("hex").slice(0, 32);
}

/** Over the names and the bytes of all files. */
async function sealOf(folder: string, key: Buffer): Promise<string> {
  const seal = createHmac("sha256", key);
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    if (name === sealName) continue;
    const entry = await lstat(join(folder, name));
    seal.update(`${JSON.stringify(name)} ${entry.isFile() ? entry.size : "-"}\n`);
    if (entry.isFile()) for await (const chunk of createReadStream(join(folder, name))) seal.update(chunk as Buffer);
  }
  return seal.digest("hex");
}

/** Removes old caches, and what a killed process left unfinished. Those of the last hour may be about to be used. */
export async function keepNewest(folder: string, count: number): Promise<void> {
  const hourAgoMs = Date.now() - 60 * 60 * 1000;
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{32}(\.|$)/.test(name));
  const found = await Promise.all(
    names.map(async (name) => ({
      name,
      isWhole: !name.includes("."),
      madeMs: (await lstat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const newestFirst = found.toSorted((a, b) => b.madeMs - a.madeMs);
  const kept = new Set(newestFirst.filter(({ isWhole }) => isWhole).slice(0, count));
  for (const each of found)
    if (!kept.has(each) && each.madeMs < hourAgoMs) await rm(join(folder, each.name), { recursive: true, force: true });
}

/**
 * Every file with the time of its last change (ctime), which no program can set: a forged file does not pass as the old
 * one. There are a hundred: to ask for one after the other takes half a millisecond, with promises three times that.
 */
export function stateOf(folder: string): string {
  const states = [describe(folder)];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    states.push(entry.isDirectory() ? stateOf(path) : describe(path));
  }
  return states.join("\n");
}

/** Whether nothing was changed, added or removed since. */
export function isStill(folder: string, state: string): boolean {
  try {
    return stateOf(folder) === state;
  } catch {
    return false;
  }
}

function describe(path: string): string {
  const { ino, size, mode, ctimeMs } = lstatSync(path);
  return `${path} ${ino} ${size} ${mode} ${ctimeMs}`;
}
