import type { Kysely } from "kysely";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { Tables } from "../db/tables.ts";

/** What an operator set for a workspace's submissions that do not say it themselves. */
export type WorkspaceDefaults = { sidekickIds: readonly string[] | null; context: Context };

export type DefaultsReader = { of: (workspaceId: string) => Promise<WorkspaceDefaults> };

/** Changes are seen within this time. */
const freshMs = 2000;
const maxCached = 10_000;

/** Every submission and every asset asks, and the answer hardly ever changes. */
export function createDefaultsReader({ db }: { db: Kysely<Tables> }): DefaultsReader {
  const cache = new Map<string, { readAt: number; defaults: Promise<WorkspaceDefaults> }>();

  async function read(workspaceId: string): Promise<WorkspaceDefaults> {
    const row = await db
      .selectFrom("workspaces")
      .select(["defaultSidekickIds", "defaultContext"])
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirst();
    return { sidekickIds: row?.defaultSidekickIds ?? null, context: row?.defaultContext ?? {} };
  }

  return {
    of(workspaceId) {
      const cached = cache.get(workspaceId);
      if (cached && performance.now() - cached.readAt < freshMs) return cached.defaults;
      const defaults = read(workspaceId);
      // A failed read is not an answer to give again.
      defaults.catch(() => cache.delete(workspaceId));
      cache.delete(workspaceId);
      cache.set(workspaceId, { readAt: performance.now(), defaults });
      if (cache.size > maxCached) cache.delete(cache.keys().next().value ?? "");
      return defaults;
    },
  };
}
