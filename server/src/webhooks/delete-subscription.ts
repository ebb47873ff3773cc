import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Actor } from "../workspaces/caller.ts";
import { recordSubscriptionChange } from "./record-change.ts";
import { subscriptionNotFound, type SubscriptionIds } from "./subscription.ts";

/** Its deliveries, waiting ones and history, go with it. */
export async function deleteSubscription(
  app: App,
  { workspaceId, subscriptionId, actor }: SubscriptionIds & { actor?: Actor | undefined },
): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      select from webhook_subscriptions where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}
        for update`.execute(trx);
    if (rows.length === 0) throw subscriptionNotFound();
    // In the order in which workers lock them when they record attempts: the cascade has another, and would deadlock.
    await sql`
      select from deliveries where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}
        order by delivery_id for update`.execute(trx);
    await trx
      .deleteFrom("webhookSubscriptions")
      .where("subscriptionId", "=", subscriptionId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    await recordSubscriptionChange(app, trx, { workspaceId, subscriptionId, actor, action: "webhook.deleted" });
  });
}
