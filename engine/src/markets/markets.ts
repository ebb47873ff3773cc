import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { parse } from "yaml";
import { builtInPacksFolder } from "../rules/load-packs.ts";
import { ContextFile } from "../rules/rule-file.ts";

const closed = { additionalProperties: false };

const MarketsFile = Type.Object(
  {
    markets: Type.Array(
      Type.Object(
        {
          market: Type.String({ pattern: "^[A-Z]{2}:[a-z]+$" }),
          name: Type.String({ minLength: 3 }),
          context: ContextFile,
          /** With fewer rules of the place, those of the EU included, nothing found says nothing. */
          minimumRules: Type.Integer({ minimum: 1 }),
          /** With fewer rules that name the country itself it is thin. */
          ownRules: Type.Integer({ minimum: 0 }),
        },
        closed,
      ),
      { minItems: 1 },
    ),
  },
  closed,
);

/** A place and a channel that an asset can be cleared for. */
export type Market = Static<typeof MarketsFile>["markets"][number];

export async function loadMarkets(file = join(builtInPacksFolder, "markets.yaml")): Promise<Market[]> {
  const content: unknown = parse(await readFile(file, "utf8"));
  if (!Value.Check(MarketsFile, content)) {
    const [error] = Value.Errors(MarketsFile, content);
    throw new Error(`${file}: ${error?.instancePath ?? ""} ${error?.message ?? "is not a list of markets"}`);
  }
  return content.markets;
}
