import { replayDelivery as replay } from "../../webhooks/replay-delivery.ts";
import { defineRoute } from "../route.ts";
import { Delivery, DeliveryParams, queuedExample } from "./schemas.ts";

export const replayDelivery = defineRoute({
  method: "POST",
  path: "/webhooks/:subscription_id/deliveries/:delivery_id/replay",
  bucket: "webhook_write",
  role: "admin",
  operationId: "replayWebhookDelivery",
  tag: "Webhooks",
  summary: "Send a delivery again",
  description:
    "The event is sent again now, whatever its status, with the same `webhook-id` and body and a new timestamp and signature. When that fails, the retry schedule begins anew. `attempt` goes on counting.",
  params: DeliveryParams,
  responses: { 202: { description: "Queued again.", schema: Delivery, example: queuedExample } },
  failures: ["not_found", "subscription_inactive"],
  async handler({ app, caller, params }) {
    const replayed = await replay(app, {
      workspaceId: caller.workspaceId,
      subscriptionId: params.subscription_id,
      deliveryId: params.delivery_id,
      actor: caller.actor,
    });
    return { status: 202, body: replayed };
  },
});
