import { readConfig } from "@greenlit/server/config.ts";
import { builtInPacksFolder, loadPacks, type Pack } from "@greenlit/engine/rules/load-packs.ts";

export type PackOptions = { packs?: string };

/** The built-in packs, the operator's and the ones of the command line. */
export function packFolders({ packs }: PackOptions): string[] {
  const { packsDir } = readConfig(process.env).config;
  return [builtInPacksFolder, ...(packsDir ? [packsDir] : []), ...(packs === undefined ? [] : [packs])];
}

export async function loadRulePacks(options: PackOptions): Promise<Pack[]> {
  return loadPacks(packFolders(options));
}
