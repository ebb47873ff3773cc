import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Failure } from "../failure.ts";
import { notFound } from "../not-found.ts";
import { deliveryOf, selectDeliveries, type Delivery } from "./delivery.ts";
import { findSubscription, type SubscriptionIds } from "./subscription.ts";

/** With the exact text that was signed and sent. */
export async function readDelivery(
  app: App,
  options: SubscriptionIds & { deliveryId: string },
): Promise<Delivery & { payload: string }> {
  await findSubscription(app.db, options);
  const row = await selectDeliveries(app.db, options)
    .select(sql<string>`events.body::text`.as("payload"))
    .where("deliveries.deliveryId", "=", options.deliveryId)
    .executeTakeFirst();
  if (!row) throw deliveryNotFound();
  const { payload, ...delivery } = row;
  return { ...deliveryOf(delivery), payload };
}

export function deliveryNotFound(): Failure {
  return notFound("delivery");
}
