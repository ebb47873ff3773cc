import { sql } from "kysely";
import type { App } from "../app.ts";
import { newWebhookSecret } from "./sending/signature.ts";
import { subscriptionNotFound, subscriptionOf, type Subscription, type SubscriptionIds } from "./subscription.ts";

/** Deliveries carry the signatures of both secrets until the grace is over, so that receivers can change over. */
export async function rotateSecret(
  app: App,
  options: SubscriptionIds & { gracePeriodSeconds: number },
): Promise<Subscription & { secret: string; previousSecretExpiresAt: string | null }> {
  const { workspaceId, subscriptionId, gracePeriodSeconds } = options;
  const now = app.now();
  const expiresAt = gracePeriodSeconds > 0 ? new Date(now.getTime() + gracePeriodSeconds * 1000) : null;
  const secret = newWebhookSecret();
  const row = await app.db
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
  if (!row) throw subscriptionNotFound();
  return { ...subscriptionOf(app, row), secret, previousSecretExpiresAt: expiresAt?.toISOString() ?? null };
}
