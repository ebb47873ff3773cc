import type { Market } from "@greenlit/engine/markets/markets.ts";
import type { App } from "../app.ts";
import { Failure } from "../failure.ts";

/** Markets by their names, or `all`. Throws an `invalid_request` for one that does not exist. */
export function chooseMarkets(known: readonly Market[], names: readonly string[]): readonly Market[] {
  if (names.length === 1 && names[0]?.toLowerCase() === "all") return known;
  return names.map((name, index) => {
    const market = known.find((candidate) => candidate.market.toLowerCase() === name.toLowerCase());
    if (market) return market;
    throw new Failure("invalid_request", `There is no market ${name}. GET /api/integrations/markets lists them.`, {
      details: [{ path: `markets.${index}`, message: "is not a known market" }],
    });
  });
}

/** The workspace's own list. What a later release no longer has is left out; an empty matrix would look clear. */
export async function readOwnMarkets({ db, markets }: App, workspaceId: string): Promise<readonly Market[]> {
  const row = await db
    .selectFrom("workspaces")
    .select("markets")
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  const own = markets.filter(({ market }) => row?.markets?.includes(market));
  return own.length > 0 ? own : markets;
}
