import { sql } from "kysely";
import type { App } from "../app.ts";
import { subscriptionNotFound, type SubscriptionIds } from "./subscription.ts";

/** Its deliveries, waiting ones and history, go with it. */
export async function deleteSubscription(app: App, { workspaceId, subscriptionId }: SubscriptionIds): Promise<void> {
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
  });
}
