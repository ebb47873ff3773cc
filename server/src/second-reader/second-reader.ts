import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { ConfigError, type Config } from "../config.ts";

/** The sidekick of what the language model asks people to look at. */
export const secondReaderId = "5b1d6c0e-94f2-4c1f-8a63-2f7d0e9b3c41";
export const secondReaderName = "Second reader";

/** Listed beside the packs, so that a submission can leave it out; it has no rules. */
export function secondReaderSidekick({ model }: Pick<Endpoint, "model">): Sidekick {
  return {
    sidekickId: secondReaderId,
    name: secondReaderName,
    description: `A language model (${model}) reads after the rules, in workspaces that allow it: it explains findings, proposes rewordings, and asks a person to look. It changes no finding.`,
    jurisdictions: [],
    mediaKinds: ["video", "audio", "image", "document"],
    packVersion: "1.0.0",
    isDefault: true,
    rules: [],
  };
}

export type Endpoint = { api: "openai" | "anthropic"; url: string; key: string | undefined; model: string };

/** Undefined: there is none. */
export function findEndpoint(config: Pick<Config, "llmUrl" | "llmApi" | "llmKey" | "llmModel">): Endpoint | undefined {
  const { llmUrl: url, llmApi: api, llmKey: key, llmModel: model } = config;
  if (url === undefined) return undefined;
  if (model === undefined)
    throw new ConfigError("GREENLIT_LLM_URL is set, but GREENLIT_LLM_MODEL is not. Set both, or neither.");
  return { api, url, key, model };
}
