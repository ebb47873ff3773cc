import type { App } from "../app.ts";
import type { DeliveryStatus } from "../db/tables.ts";
import { deliveryOf, selectDeliveries, type Delivery } from "./delivery.ts";
import { findSubscription, type SubscriptionIds } from "./subscription.ts";

/** Newest first, after the delivery that the cursor names. */
export async function listDeliveries(
  app: App,
  options: SubscriptionIds & { status?: DeliveryStatus | undefined; after?: string | undefined; limit: number },
): Promise<Delivery[]> {
  const { status, after, limit } = options;
  await findSubscription(app.db, options);
  const rows = await selectDeliveries(app.db, options)
    .$if(status !== undefined, (query) => query.where("deliveries.status", "=", status ?? "pending"))
    .$if(after !== undefined, (query) => query.where("deliveries.deliveryId", "<", after ?? ""))
    .orderBy("deliveries.deliveryId", "desc")
    .limit(limit)
    .execute();
  return rows.map(deliveryOf);
}
