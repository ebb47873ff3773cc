import { channelsOf, jurisdictionsOf } from "../../rules/context.ts";
import { fieldOf } from "../../rules/sector-names.ts";
import type { Context } from "../../sidekick.ts";
import { contextKey } from "./word-features.ts";

/** What was declared, as features: the same words are honest in one market or sector and an offence in another. */
export function contextKeysOf(context: Context): number[] {
  const field = fieldOf(context.sector);
  return [
    ...(field === null ? [] : [contextKey("sector", field)]),
    ...channelsOf(context).map((name) => contextKey("channel", name)),
    ...jurisdictionsOf(context).map((name) => contextKey("jurisdiction", name)),
  ];
}
