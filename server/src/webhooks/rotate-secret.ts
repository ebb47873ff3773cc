import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Actor } from "../workspaces/caller.ts";
import { recordSubscriptionChange } from "./record-change.ts";
import { newWebhookSecret } from "./sending/signature.ts";
import { subscriptionNotFound, subscriptionOf, type Subscription, type SubscriptionIds } from "./subscription.ts";

/** Deliveries carry the signatures of both secrets until the grace is over, so that receivers can change over. */
export async function rotateSecret(
  app: App,
  options: SubscriptionIds & { gracePeriodSeconds: number; actor?: Actor | undefined },
): Promise<Subscription & { secret: string; previousSecretExpiresAt: string | null }> {
  const { workspaceId, subscriptionId, gracePeriodSeconds } = options;
  const now = app.now();
  const expiresAt = gracePeriodSeconds > 0 ? new Date(now.getTime() + gracePeriodSeconds * 1000) : null;
  const secret = newWebhookSecret();
  const row = await app.db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable("webhookSubscriptions")
      .set({
        secret: app.vault.encrypt(secret),
        previousSecret: expiresAt ? sql<Buffer>`secret` : null,
        previousSecretExpiresAt: expiresAt,
        updatedAt: now,
      })
      .where("subscriptionId", "=", subscriptionId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirst();
    if (!updated) throw subscriptionNotFound();
    const { actor } = options;
    const detail = { gracePeriodSeconds };
    const action = "webhook.secret_rotated";
    await recordSubscriptionChange(app, trx, { workspaceId, subscriptionId, actor, action, detail });
    return updated;
  });
  return { ...subscriptionOf(app, row), secret, previousSecretExpiresAt: expiresAt?.toISOString() ?? null };
}
