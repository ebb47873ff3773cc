import { sql, type Kysely } from "kysely";
import type { EventType, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";

export type NewEvent = {
  workspaceId: string;
  submissionId: string;
  assetId: string;
  type: EventType;
  /** snake_case, as webhooks carry it. */
  data: Record<string, unknown>;
  now: Date;
};

export const deliveriesChannel = "greenlit_deliveries";

/**
 * Stores an event and a delivery for every active subscription to its type, in the transaction that makes it true.
 * Returns how many subscriptions will be notified.
 */
export async function recordEvent(trx: Kysely<Tables>, event: NewEvent): Promise<number> {
  const { workspaceId, submissionId, assetId, type, data, now } = event;
  const eventId = uuidv7(now.getTime());
  const subscriptions = await trx
    .selectFrom("webhookSubscriptions")
    .select("subscriptionId")
    .where("workspaceId", "=", event.workspaceId)
    .where("isActive", "=", true)
    .where(sql<boolean>`${event.type} = any(event_types)`)
    .execute();

  await trx
    .insertInto("events")
    .values({
      eventId,
      workspaceId,
      submissionId,
      assetId,
      type,
      body: JSON.stringify({ type: event.type, timestamp: now.toISOString(), data }),
      createdAt: now,
    })
    .execute();
  if (subscriptions.length === 0) return 0;
  await trx
    .insertInto("deliveries")
    .values(
      subscriptions.map(({ subscriptionId }) => ({
        deliveryId: uuidv7(now.getTime()),
        eventId,
        subscriptionId,
        workspaceId: event.workspaceId,
        status: "pending" as const,
        createdAt: now,
        nextAttemptAt: now,
      })),
    )
    .execute();
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(trx);
  return subscriptions.length;
}
