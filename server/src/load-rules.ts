import { loadMarkets, type Market } from "@greenlit/engine/markets/markets.ts";
import { builtInPacksFolder, loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { findEndpoint, secondReaderSidekick } from "./second-reader/second-reader.ts";
import { ConfigError, type Config } from "./config.ts";
import { keepPacks, type PacksFile } from "./kept-packs.ts";

/**
 * The built-in packs and the operator's, and the markets; with `keptIn` from the file of an earlier start where nothing
 * has changed. Throws, before anything is started, when a pack or a default id is wrong.
 */
export async function loadRules(
  config: Pick<Config, "packsDir" | "defaultSidekicks"> & Partial<Parameters<typeof findEndpoint>[0]>,
  { keptIn }: { keptIn?: PacksFile } = {},
): Promise<{ sidekicks: Sidekick[]; markets: Market[] }> {
  const folders = [builtInPacksFolder, ...(config.packsDir ? [config.packsDir] : [])];
  const { llmUrl, llmApi = "openai", llmKey, llmModel } = config;
  const endpoint = findEndpoint({ llmUrl, llmApi, llmKey, llmModel });
  const read = async () => {
    const [packs, markets] = await Promise.all([loadPacks(folders), loadMarkets()]);
    return { packed: packs.map(({ sidekick }) => sidekick), markets };
  };
  const { packed, markets } = keptIn === undefined ? await read() : await keepPacks({ folders, ...keptIn }, read);
  const sidekicks = [...packed, ...(endpoint ? [secondReaderSidekick(endpoint)] : [])];
  const unknown = config.defaultSidekicks.filter((id) => !sidekicks.some(({ sidekickId }) => sidekickId === id));
  if (unknown.length > 0) {
    throw new ConfigError(
      `GREENLIT_DEFAULT_SIDEKICKS names ${unknown.join(", ")}, which no pack has. \`greenlit rules list\` shows the ids.`,
    );
  }
  if (config.defaultSidekicks.length === 0) return { sidekicks, markets };
  const isDefault = ({ sidekickId }: Sidekick) => config.defaultSidekicks.includes(sidekickId);
  return { sidekicks: sidekicks.map((sidekick) => ({ ...sidekick, isDefault: isDefault(sidekick) })), markets };
}
