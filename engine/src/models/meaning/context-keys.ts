import { channelsOf, jurisdictionsOf } from "../../rules/context.ts";
import { sectorsOf } from "../../rules/sectors.ts";
import type { Context } from "../../sidekick.ts";
import { contextKey } from "./word-features.ts";

/** What was declared, as features: the same words are honest in one market or sector and an offence in another. */
export function contextKeysOf(context: Context): number[] {
  const sectors = sectorsOf(context.sector);
  const names = sectors.length > 0 ? sectors : plainNames(context.sector);
  return [
    ...names.map((name) => contextKey("sector", name)),
    ...channelsOf(context).map((name) => contextKey("channel", name)),
    ...jurisdictionsOf(context).map((name) => contextKey("jurisdiction", name)),
  ];
}

/** A sector that no rule knows still tells where a text lives. */
function plainNames(sector: string | undefined): string[] {
  const name = (typeof sector === "string" ? sector : "")
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/&-]+/g, "_");
  return name === "" ? [] : [name];
}
