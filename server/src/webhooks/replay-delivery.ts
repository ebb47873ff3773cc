import { sql } from "kysely";
import type { App } from "../app.ts";
import { deliveryOf, selectDeliveries, type Delivery } from "./delivery.ts";
import { deliveryNotFound } from "./read-delivery.ts";
import { lockActiveSubscription, type SubscriptionIds } from "./subscription.ts";
import type { Actor } from "../workspaces/caller.ts";
import { recordSubscriptionChange } from "./record-change.ts";
import { wakeDeliverers } from "./wake-deliverers.ts";

/** Sends the event again, whatever became of the delivery, with a retry schedule of its own. */
export async function replayDelivery(
  app: App,
  options: SubscriptionIds & { deliveryId: string; actor?: Actor | undefined },
): Promise<Delivery> {
  const { workspaceId, subscriptionId, deliveryId } = options;
  return app.db.transaction().execute(async (trx) => {
    await lockActiveSubscription(trx, options);
    const { numUpdatedRows } = await trx
      .updateTable("deliveries")
      .set({ status: "pending", nextAttemptAt: app.now(), scheduleStart: sql`attempt` })
      .where("deliveryId", "=", deliveryId)
      .where("subscriptionId", "=", subscriptionId)
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw deliveryNotFound();
    await wakeDeliverers(trx);
    const { actor } = options;
    const action = "webhook.delivery_replayed";
    await recordSubscriptionChange(app, trx, { workspaceId, subscriptionId, actor, action, detail: { deliveryId } });
    return deliveryOf(
      await selectDeliveries(trx, options).where("deliveries.deliveryId", "=", deliveryId).executeTakeFirstOrThrow(),
    );
  });
}
