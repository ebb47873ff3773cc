import type { App } from "../app.ts";
import { Failure } from "../failure.ts";
import { deliveryOf, selectDeliveries, type Delivery } from "./delivery.ts";
import { findSubscription, type SubscriptionIds } from "./subscription.ts";

export async function readDelivery(app: App, options: SubscriptionIds & { deliveryId: string }): Promise<Delivery> {
  await findSubscription(app.db, options);
  const row = await selectDeliveries(app.db, options)
    .where("deliveries.deliveryId", "=", options.deliveryId)
    .executeTakeFirst();
  if (!row) throw deliveryNotFound();
  return deliveryOf(row);
}

export function deliveryNotFound(): Failure {
  return new Failure("not_found", "There is no such delivery of this subscription. Check the id and the key.");
}
