import type { Kysely, Selectable, Transaction } from "kysely";
import type { App } from "../app.ts";
import type { EventType, Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { notFound } from "../not-found.ts";
import { openHeaders, maskHeaders } from "./custom-headers.ts";

/** As the interface shows it; its secret is shown only by the verbs that make one. */
export type Subscription = {
  subscriptionId: string;
  url: string;
  eventTypes: EventType[];
  isActive: boolean;
  description: string | null;
  headers: Record<string, string>;
  disabledReason: string | null;
  createdAt: string;
  updatedAt: string;
};

export type SubscriptionRow = Selectable<Tables["webhookSubscriptions"]>;

export type SubscriptionIds = { workspaceId: string; subscriptionId: string };

export function subscriptionOf({ vault }: Pick<App, "vault">, row: SubscriptionRow): Subscription {
  return {
    subscriptionId: row.subscriptionId,
    url: row.url,
    eventTypes: row.eventTypes,
    isActive: row.isActive,
    description: row.description,
    headers: maskHeaders(openHeaders(vault, row.headers)),
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function findSubscription(
  db: Kysely<Tables>,
  { workspaceId, subscriptionId }: SubscriptionIds,
): Promise<SubscriptionRow> {
  const row = await db
    .selectFrom("webhookSubscriptions")
    .selectAll()
    .where("subscriptionId", "=", subscriptionId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw subscriptionNotFound();
  return row;
}

/**
 * For what would be sent now: to an inactive one nothing is, and waiting in silence would look like a fault. It stays
 * until the transaction ends: deliveries cannot be stored without it.
 */
export async function lockActiveSubscription(
  trx: Transaction<Tables>,
  { workspaceId, subscriptionId }: SubscriptionIds,
): Promise<SubscriptionRow> {
  const row = await trx
    .selectFrom("webhookSubscriptions")
    .selectAll()
    .where("subscriptionId", "=", subscriptionId)
    .where("workspaceId", "=", workspaceId)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw subscriptionNotFound();
  if (!row.isActive)
    throw new Failure(
      "subscription_inactive",
      "The subscription is not active, so nothing is sent to it. Set isActive to true first.",
    );
  return row;
}

export function subscriptionNotFound(): Failure {
  return notFound("subscription");
}
