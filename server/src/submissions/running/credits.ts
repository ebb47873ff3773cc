import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";
import { uuidv7 } from "../../db/uuid.ts";
import type { Category } from "@greenlit/engine/media-types/media-types.ts";

/** What analysing an asset costs, once it is probed: its length and pages are known by then. */
export function creditsFor(probe: {
  category: Category;
  durationSeconds: number | null;
  pages: number | null;
}): number {
  const units: Record<Category, number> = {
    image: 1,
    document: (probe.pages ?? 1) / 10,
    audio: (probe.durationSeconds ?? 0) / 60,
    video: (probe.durationSeconds ?? 0) / 60,
  };
  return Math.max(1, Math.ceil(units[probe.category]));
}

type Entry = { workspaceId: string; assetId: string; amount: number };

/** Takes credits off the balance for an asset under way. False: the balance does not cover it. */
export async function holdCredits(trx: Kysely<Tables>, { workspaceId, assetId, amount }: Entry): Promise<boolean> {
  const workspace = await trx
    .selectFrom("workspaces")
    .select("creditBalance")
    .where("workspaceId", "=", workspaceId)
    // Not FOR UPDATE: that waits for every insert that refers to the workspace, and holds up all new ones.
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (workspace.creditBalance === null) return true;
  if (workspace.creditBalance < amount) return false;
  await change(trx, { workspaceId, assetId, amount: -amount, kind: "hold" });
  await trx
    .updateTable("assets")
    .set({ creditsHeld: amount })
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  return true;
}

/** Ends the hold of an asset: taken for good when it completed, given back when it failed. Nothing held, nothing done. */
export async function closeHold(
  trx: Kysely<Tables>,
  options: { workspaceId: string; assetId: string; creditsHeld: number | null; outcome: "taken" | "released" },
): Promise<void> {
  const { workspaceId, assetId, creditsHeld, outcome } = options;
  if (creditsHeld === null) return;
  await trx
    .updateTable("assets")
    .set({ creditsHeld: null })
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  if (outcome === "taken") await change(trx, { workspaceId, assetId, amount: 0, kind: "take" });
  else await change(trx, { workspaceId, assetId, amount: creditsHeld, kind: "release" });
}

async function change(trx: Kysely<Tables>, entry: Entry & { kind: "hold" | "take" | "release" }): Promise<void> {
  if (entry.amount !== 0)
    await trx
      .updateTable("workspaces")
      .set((set) => ({ creditBalance: set("creditBalance", "+", entry.amount) }))
      .where("workspaceId", "=", entry.workspaceId)
      .execute();
  await trx
    .insertInto("creditLedger")
    .values({ entryId: uuidv7(), ...entry })
    .execute();
}
