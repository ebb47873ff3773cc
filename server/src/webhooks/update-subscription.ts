import type { App } from "../app.ts";
import type { EventType } from "../db/tables.ts";
import { checkSettings } from "./check-settings.ts";
import { sealHeaders } from "./custom-headers.ts";
import type { Actor } from "../workspaces/caller.ts";
import { recordSubscriptionChange } from "./record-change.ts";
import { subscriptionNotFound, subscriptionOf } from "./subscription.ts";
import type { Subscription, SubscriptionIds } from "./subscription.ts";
import { wakeDeliverers } from "./wake-deliverers.ts";

export type SubscriptionChanges = {
  url?: string | null | undefined;
  eventTypes?: EventType[] | null | undefined;
  description?: string | null | undefined;
  isActive?: boolean | null | undefined;
  headers?: Record<string, string> | null | undefined;
};

/** What is left out stays. Made active again, a subscription gets what waited for it. */
export async function updateSubscription(
  app: App,
  options: SubscriptionIds & { changes: SubscriptionChanges; actor?: Actor | undefined },
): Promise<Subscription> {
  const { workspaceId, subscriptionId, changes } = options;
  checkSettings(app, changes);
  const isRevived = changes.isActive === true;

  const row = await app.db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable("webhookSubscriptions")
      .set({
        ...(changes.url && { url: changes.url }),
        ...(changes.eventTypes && { eventTypes: changes.eventTypes }),
        ...(typeof changes.description === "string" && { description: changes.description || null }),
        ...(typeof changes.isActive === "boolean" && { isActive: changes.isActive }),
        ...(changes.headers && { headers: sealHeaders(app.vault, changes.headers) }),
        ...(isRevived && { disabledReason: null }),
        // The five days until it is disabled start over.
        ...((isRevived || changes.url) && { failingSince: null }),
        updatedAt: app.now(),
      })
      .where("subscriptionId", "=", subscriptionId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirst();
    if (!updated) throw subscriptionNotFound();
    if (isRevived) await wakeDeliverers(trx);
    const { actor } = options;
    const detail = { changed: Object.keys(changes), isActive: updated.isActive };
    await recordSubscriptionChange(app, trx, { workspaceId, subscriptionId, actor, action: "webhook.changed", detail });
    return updated;
  });
  return subscriptionOf(app, row);
}
