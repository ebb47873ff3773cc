import type { Kysely } from "kysely";
import type { DeliveryAttempt, DeliveryStatus, EventType, Tables } from "../db/tables.ts";

export type Delivery = {
  deliveryId: string;
  eventId: string;
  eventType: EventType;
  subscriptionId: string;
  status: DeliveryStatus;
  attempt: number;
  responseStatusCode: number | null;
  responseBody: string | null;
  durationMs: number | null;
  error: string | null;
  attempts: DeliveryAttempt[];
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
};

/** Deliveries of one subscription, as the interface shows them. */
export function selectDeliveries(db: Kysely<Tables>, ids: { workspaceId: string; subscriptionId: string }) {
  return db
    .selectFrom("deliveries")
    .innerJoin("events", "events.eventId", "deliveries.eventId")
    .select([
      "deliveries.deliveryId",
      "deliveries.eventId",
      "events.type as eventType",
      "deliveries.subscriptionId",
      "deliveries.status",
      "deliveries.attempt",
      "deliveries.responseStatusCode",
      "deliveries.responseBody",
      "deliveries.durationMs",
      "deliveries.error",
      "deliveries.attempts",
      "deliveries.createdAt",
      "deliveries.lastAttemptAt",
      "deliveries.nextAttemptAt",
    ])
    .where("deliveries.subscriptionId", "=", ids.subscriptionId)
    .where("deliveries.workspaceId", "=", ids.workspaceId);
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>["execute"]>>[number];

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}
