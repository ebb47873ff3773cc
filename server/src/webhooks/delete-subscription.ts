import type { App } from "../app.ts";
import { subscriptionNotFound, type SubscriptionIds } from "./subscription.ts";

/** Its deliveries, waiting ones and history, go with it. */
export async function deleteSubscription(app: App, { workspaceId, subscriptionId }: SubscriptionIds): Promise<void> {
  const { numDeletedRows } = await app.db
    .deleteFrom("webhookSubscriptions")
    .where("subscriptionId", "=", subscriptionId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw subscriptionNotFound();
}
