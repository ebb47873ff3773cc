import type { Kysely } from "kysely";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { SecondReaderMode, Tables } from "../db/tables.ts";
import { createFreshCache } from "../fresh-cache.ts";

/** What an operator set for a workspace's submissions that do not say it themselves. */
export type WorkspaceDefaults = {
  sidekickIds: readonly string[] | null;
  context: Context;
  secondReader: SecondReaderMode;
};

export type DefaultsReader = { of: (workspaceId: string) => Promise<WorkspaceDefaults> };

/** Changes are seen within this time. */
const freshMs = 2000;

/** Every submission and every asset asks, and the answer hardly ever changes. */
export function createDefaultsReader({ db }: { db: Kysely<Tables> }): DefaultsReader {
  async function read(workspaceId: string): Promise<WorkspaceDefaults> {
    const row = await db
      .selectFrom("workspaces")
      .select(["defaultSidekickIds", "defaultContext", "secondReader"])
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirst();
    return {
      sidekickIds: row?.defaultSidekickIds ?? null,
      context: row?.defaultContext ?? {},
      secondReader: row?.secondReader ?? "off",
    };
  }

  const cache = createFreshCache({ freshMs, read });
  return { of: (workspaceId) => cache.get(workspaceId, workspaceId) };
}
