import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isStill, stateOf } from "@greenlit/engine/analysis-cache.ts";
import type { AnalysisCache } from "@greenlit/engine/child.ts";
import { PackError } from "@greenlit/engine/rules/pack-error.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { isOursAlone, keptFolder, keptRoot } from "../../bin/kept-code.js";
import { keepFolder } from "../keep-folder.ts";

/** A pack as the command chooses it. */
export type ChosenPack = { sidekick: Sidekick; folder: string };

export type KeptCache = AnalysisCache & { packs: readonly ChosenPack[] };

let known: string | undefined;

/** For a program that was started from it. */
export function useKept(folder: string): void {
  known = folder;
}

/**
 * What a check would work out again about our own code and rules, kept for the next one. Undefined where it would be of
 * no use or could be somebody else's.
 */
export async function openKeptCache(packFolders: readonly string[]): Promise<KeptCache | undefined> {
  const root = keptRoot();
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    if (!isOursAlone(root)) return undefined;
    const folder = known ?? keptFolder(packFolders);
    if (!existsSync(folder)) await make(folder, packFolders);
    return await open(folder);
  } catch (error) {
    // A folder that cannot be written costs time and nothing else.
    if (error instanceof PackError) throw error;
    return undefined;
  }
}

async function open(folder: string): Promise<KeptCache> {
  const sidekicks = JSON.parse(await readFile(join(folder, "packs.json"), "utf8")) as Sidekick[];
  const folders = JSON.parse(await readFile(join(folder, "folders.json"), "utf8")) as string[];
  const state = stateOf(folder);
  return {
    packs: sidekicks.map((sidekick, index) => ({ sidekick, folder: folders[index] ?? "" })),
    // An analysis that changed it could change the results of the next.
    use: async () => (isStill(folder, state) ? { folder, sidekicks } : undefined),
  };
}

async function make(folder: string, packFolders: readonly string[]): Promise<void> {
  // Loaded only for this: a check from the cache does without.
  const { builtInPacksFolder, loadPacks } = await import("@greenlit/engine/rules/load-packs.ts");
  const { fillCache } = await import("@greenlit/engine/fill-cache.ts");
  const { buildProgram } = await import("@greenlit/engine/build-engine.ts");
  const packs = await loadPacks([builtInPacksFolder, ...packFolders]);
  await keepFolder(folder, async (unfinished) => {
    const sidekicks = packs.map(({ sidekick }) => sidekick);
    await fillCache(unfinished, { sidekicks, signal: new AbortController().signal });
    await writeFile(join(unfinished, "folders.json"), JSON.stringify(packs.map((pack) => pack.folder)));
    await buildProgram({
      program: fileURLToPath(new URL("./check-program.ts", import.meta.url)),
      file: join(unfinished, "check.mjs"),
    });
  });
}
