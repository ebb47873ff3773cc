import { readDelivery as read } from "../../webhooks/read-delivery.ts";
import { defineRoute } from "../route.ts";
import { DeliveryParams, DeliveryWithPayload, deliveryWithPayloadExample } from "./schemas.ts";

export const readDelivery = defineRoute({
  method: "GET",
  path: "/webhooks/:subscription_id/deliveries/:delivery_id",
  bucket: "webhook_read",
  role: "admin",
  operationId: "readWebhookDelivery",
  tag: "Webhooks",
  summary: "Read one delivery",
  description: "What became of one event: what was sent, every attempt, and when the next one is due.",
  params: DeliveryParams,
  responses: {
    200: { description: "The delivery.", schema: DeliveryWithPayload, example: deliveryWithPayloadExample },
  },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const delivery = await read(app, {
      workspaceId: caller.workspaceId,
      subscriptionId: params.subscription_id,
      deliveryId: params.delivery_id,
    });
    return { status: 200, body: delivery };
  },
});
