import type { Config } from "../config.ts";
import { loadPrompt, type Prompt } from "./prompt.ts";
import { findEndpoint, type Endpoint } from "./second-reader.ts";

export type SecondReader = { endpoint: Endpoint; prompt: Prompt };

/** Undefined: no model is configured. */
export async function createSecondReader(config: Config): Promise<SecondReader | undefined> {
  const endpoint = findEndpoint(config);
  return endpoint && { endpoint, prompt: await loadPrompt() };
}
