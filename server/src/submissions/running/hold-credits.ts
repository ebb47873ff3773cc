import type { Probe } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import type { App } from "../../app.ts";
import type { Category } from "@greenlit/engine/media-types/media-types.ts";
import { creditsFor, holdCredits } from "./credits.ts";
import type { AssetRun } from "./start-asset.ts";

/** The balance of the workspace does not cover the asset. */
export class InsufficientCredits extends Error {
  override name = "InsufficientCredits";
}

/** Holds what the asset costs. A second worker on the same attempt finds it held already. */
export async function holdCreditsForAsset(
  app: App,
  options: { run: AssetRun; category: Category; probe: Probe },
): Promise<void> {
  const { run, category, probe } = options;
  const { assetId, workspaceId } = run.asset;
  const amount = creditsFor({ category, durationSeconds: probe.durationSeconds, pages: probe.pages });
  await app.db.transaction().execute(async (trx) => {
    const asset = await trx
      .selectFrom("assets")
      .select("creditsHeld")
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .where("run", "=", run.run)
      .forUpdate()
      .executeTakeFirst();
    if (!asset || asset.creditsHeld !== null) return;
    if (await holdCredits(trx, { workspaceId, assetId, amount })) return;
    throw new InsufficientCredits(
      `The asset needs ${amount} ${amount === 1 ? "credit" : "credits"}, more than the workspace has. Add credits, then retry it.`,
    );
  });
}
