import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { findJail, type Jail } from "./jail.ts";
import { sourceExtension, sourceFolder } from "./worker-code.ts";

/** The folder with our code as build-engine.ts made it. */
export type BuiltCode = { codeFolder: string };

let built: BuiltCode | undefined;

/** For a process of ours that starts others: they run the built code too. */
export function useBuiltCode(code: BuiltCode | undefined): void {
  built = code;
}

/** Where a cache folder has its code; undefined when it has none. */
export function builtCodeIn(folder: string): BuiltCode | undefined {
  const code = { codeFolder: join(folder, "code") };
  return existsSync(builtPath(code, join(sourceFolder, `analysis-child${sourceExtension}`))) ? code : undefined;
}

/** The built form of a module of ours. */
export function builtPath({ codeFolder }: BuiltCode, module: string): string {
  return join(codeFolder, relative(sourceFolder, module).replace(/\.[jt]s$/, ".mjs"));
}

/** What a jailed worker runs: the built form where that is visible in the jail, else the source. */
export async function builtWorker(module: string, jail?: Jail): Promise<{ module: string; visiblePaths: string[] }> {
  // Other jails show no folder that their user may not enter, and ours are private.
  if (built === undefined || !(jail ?? (await findJail())).kind.startsWith("bubblewrap"))
    return { module, visiblePaths: [] };
  const path = builtPath(built, module);
  return existsSync(path) ? { module: path, visiblePaths: [built.codeFolder] } : { module, visiblePaths: [] };
}
