import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { until } from "@greenlit/engine/testing/until.ts";
import type { EventType } from "../db/tables.ts";
import type { Role } from "../open-ground.ts";
import type { Delivery } from "../webhooks/delivery.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { freePort } from "./free-port.ts";
import { startReceiver } from "./receiver.ts";
import { startTestService, type TestWorkspace } from "./test-service.ts";

export const completed = "asset.processing.completed";
export const failed = "asset.processing.failed";

/** What tests of webhooks do with a service that may send to loopback. */
export type WebhookService = Awaited<ReturnType<typeof startWebhookService>>;

export async function startWebhookService({
  now = () => new Date(),
  role = "all",
}: { now?: () => Date; role?: Role } = {}) {
  const service = await startTestService({
    now,
    role,
    env: { GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8", GREENLIT_WEBHOOK_HTTP: "true" },
  });

  async function subscribe(
    receiver: { url: string },
    options: { workspace?: TestWorkspace; eventTypes?: EventType[]; isActive?: boolean } = {},
  ) {
    const { workspace = await service.newWorkspace(), eventTypes = [completed], isActive = true } = options;
    const { status, json } = await workspace.call("POST", "/webhooks", {
      body: { url: receiver.url, eventTypes, isActive },
    });
    assert.equal(status, 201);
    const subscriptionId = String(json["subscriptionId"]);
    return { workspace, subscriptionId, path: `/webhooks/${subscriptionId}`, secret: String(json["secret"]) };
  }

  async function fire(
    { workspaceId }: TestWorkspace,
    {
      type = completed,
      data = { workspace_id: workspaceId },
    }: { type?: EventType; data?: Record<string, unknown> } = {},
  ) {
    const event = { workspaceId, type, data, submissionId: randomUUID(), assetId: randomUUID(), now: now() };
    await service.app.db.transaction().execute((trx) => recordEvent(trx, event));
  }

  async function deliveriesOf(workspace: TestWorkspace, path: string, query = ""): Promise<Delivery[]> {
    return (await workspace.call("GET", `${path}/deliveries${query}`)).json["data"] as Delivery[];
  }

  /** The newest delivery, once its attempt of that number is recorded. */
  async function settled(workspace: TestWorkspace, path: string, attempt = 1): Promise<Delivery> {
    let newest: Delivery | undefined;
    await until(async () => {
      [newest] = await deliveriesOf(workspace, path);
      return newest !== undefined && newest.attempt >= attempt && newest.status !== "pending";
    });
    return newest as unknown as Delivery;
  }

  async function insertDelivery({ workspaceId }: TestWorkspace, { subscriptionId }: { subscriptionId: string }) {
    const { db } = service.app;
    const ids = { eventId: randomUUID(), workspaceId, submissionId: randomUUID(), assetId: randomUUID() };
    await db
      .insertInto("events")
      .values({ ...ids, type: completed, body: "{}", createdAt: now() })
      .execute();
    const deliveryId = randomUUID();
    const times = { createdAt: now(), nextAttemptAt: now() };
    await db
      .insertInto("deliveries")
      .values({ deliveryId, eventId: ids.eventId, subscriptionId, workspaceId, status: "pending", ...times })
      .execute();
    return deliveryId;
  }

  /** The workers have looked at everything that is due: another workspace's event, which came last, has arrived. */
  async function looked() {
    await using receiver = await startReceiver();
    const { workspace } = await subscribe(receiver);
    await fire(workspace);
    await receiver.until(1);
  }

  return { ...service, subscribe, fire, deliveriesOf, settled, insertDelivery, looked };
}

/** Where nothing listens. */
export async function closedUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
