import type { App } from "../app.ts";
import type { EventType } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { deliveryOf, selectDeliveries, type Delivery } from "./delivery.ts";
import { lockActiveSubscription, type SubscriptionIds } from "./subscription.ts";
import { wakeDeliverers } from "./wake-deliverers.ts";

/** Sends a made-up event to one subscription, whatever it subscribes to, on the same way as a real one. */
export async function sendTestEvent(app: App, options: SubscriptionIds & { eventType: EventType }): Promise<Delivery> {
  const { workspaceId, subscriptionId, eventType } = options;
  const now = app.now();
  const newId = () => uuidv7(now.getTime());
  const ids = { eventId: newId(), workspaceId, submissionId: newId(), assetId: newId() };
  const deliveryId = newId();
  const data = {
    asset_id: ids.assetId,
    submission_id: ids.submissionId,
    workspace_id: workspaceId,
    version_group_id: newId(),
    ...exampleData[eventType],
  };

  return app.db.transaction().execute(async (trx) => {
    await lockActiveSubscription(trx, options);
    await trx
      .insertInto("events")
      .values({
        ...ids,
        type: eventType,
        body: JSON.stringify({ type: eventType, timestamp: now.toISOString(), data }),
        testSubscriptionId: subscriptionId,
        createdAt: now,
      })
      .execute();
    await trx
      .insertInto("deliveries")
      .values({
        deliveryId,
        eventId: ids.eventId,
        subscriptionId,
        workspaceId,
        status: "pending",
        createdAt: now,
        nextAttemptAt: now,
      })
      .execute();
    await wakeDeliverers(trx);
    return deliveryOf(
      await selectDeliveries(trx, options).where("deliveries.deliveryId", "=", deliveryId).executeTakeFirstOrThrow(),
    );
  });
}

const exampleAsset = {
  filename: "test-event.mp4",
  version_number: 1,
  metadata: null,
  livemode: false,
};

const exampleData: Record<EventType, Record<string, unknown>> = {
  "asset.processing.completed": {
    status: "complete",
    issue_count: 1,
    severity_counts: { CRITICAL: 0, MAJOR: 1, MINOR: 0, INFO: 0 },
    highest_severity: "MAJOR",
    ...exampleAsset,
  },
  "asset.processing.failed": {
    status: "failed",
    error_message: "This is a test event.",
    error_type: "internal_error",
    is_retryable: true,
    retry_count: 0,
    ...exampleAsset,
  },
  "asset.review.decided": {
    decision: "approved",
    reason: "This is a test event.",
    conditions: [],
    markets: ["UK"],
    decided_by: { kind: "person", id: "00000000-0000-7000-8000-000000000000", name: "Nobody" },
    filename: exampleAsset.filename,
    version_number: exampleAsset.version_number,
    livemode: false,
  },
  "certificate.issued": {
    certificate_id: "00000000-0000-7000-8000-000000000000",
    number: 1,
    expires_at: "2027-11-15T10:05:00.000Z",
    filename: exampleAsset.filename,
    livemode: false,
  },
  "certificate.revoked": {
    certificate_id: "00000000-0000-7000-8000-000000000000",
    number: 1,
    reason: "This is a test event.",
    filename: exampleAsset.filename,
    livemode: false,
  },
  "asset.rejudged": {
    rejudge_id: "00000000-0000-7000-8000-000000000000",
    issue_count: 1,
    new_count: 1,
    gone_count: 0,
    changed_count: 0,
    filename: exampleAsset.filename,
    version_number: exampleAsset.version_number,
    livemode: false,
  },
};
