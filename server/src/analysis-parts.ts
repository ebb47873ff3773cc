import { findDecoder } from "@greenlit/engine/evidence/decode/decoder.ts";
import { findJail, type Jail } from "@greenlit/engine/jail/jail.ts";
import { findModels } from "@greenlit/engine/models/find-models.ts";
import { ConfigError, type Config } from "./config.ts";

/** What a worker found to analyse with, in words for the start banner. */
export type AnalysisParts = { decoder: string; jail: string; models: string };

/** Looks for it once, which takes a moment: each jail is tried out. Throws where a worker must not start like this. */
export async function findAnalysisParts(config: Config): Promise<AnalysisParts> {
  const jail = await findJail();
  refuseOpenJail(jail, config);
  const decoder = await findDecoder();
  return {
    decoder: decoder.description,
    jail: jail.description,
    models: findModels({ whisperModel: config.whisperModel, speechModel: config.speechModel }).description,
  };
}

/** On somebody's own machine, with the embedded database, a warning in the banner is enough. */
export function refuseOpenJail(jail: Pick<Jail, "isolatesNetwork">, config: Config): void {
  if (jail.isolatesNetwork || config.databaseUrl === undefined || config.allowNoJail) return;
  throw new ConfigError(
    "Neither bubblewrap nor unshare works here, so an uploaded file that attacks a decoder would reach this machine's network and files. " +
      "Install bubblewrap (apt-get install -y bubblewrap) and let this user make namespaces (docs/operating.md), or set GREENLIT_ALLOW_NO_JAIL=true to work without.",
  );
}
