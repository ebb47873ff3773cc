import { InvalidArgumentError } from "commander";
import type { Context } from "@greenlit/engine/sidekick.ts";

/** `sector=gambling`, `jurisdictions=UK,IE`: what rules may assume about a file. */
export function contextOption(value: string, before: Context = {}): Context {
  const [, key, text] = /^(jurisdictions|sector|channel|audience|destination|brand|product)=(.+)$/.exec(value) ?? [];
  if (key === undefined || text === undefined)
    throw new InvalidArgumentError(
      "It must be jurisdictions=UK,IE or sector=, channel=, audience=, destination=, brand= or product= with a value.",
    );
  return { ...before, [key]: key === "jurisdictions" ? text.split(",").map((place) => place.trim()) : text };
}
