import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
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

/** What a jailed worker runs: the built form where that can be read in the jail, else the source. */
export async function builtWorker(
  module: string,
  { jail, code = built }: { jail?: Jail | undefined; code?: BuiltCode | undefined } = {},
): Promise<{ module: string; visiblePaths: string[] }> {
  const source = { module, visiblePaths: [] };
  if (code === undefined) return source;
  const path = builtPath(code, module);
  if (!existsSync(path) || !canRead(jail ?? (await findJail()), code.codeFolder)) return source;
  return { module: path, visiblePaths: [code.codeFolder] };
}

/** Bubblewrap shows it to anybody inside. Elsewhere a child that has become nobody enters no private folder. */
function canRead({ kind, dropsUser }: Jail, folder: string): boolean {
  return kind.startsWith("bubblewrap") || !dropsUser || isOpenToAll(folder);
}

function isOpenToAll(folder: string): boolean {
  const above = dirname(folder);
  return (statSync(folder).mode & 0o005) === 0o005 && (above === folder || isOpenToAll(above));
}
