import { sendTestEvent as send } from "../../webhooks/send-test-event.ts";
import { defineRoute } from "../route.ts";
import { Body } from "../schemas.ts";
import { Delivery, EventTypeName, queuedExample, SubscriptionParams } from "./schemas.ts";

export const sendTestEvent = defineRoute({
  method: "POST",
  path: "/webhooks/:subscription_id/test",
  bucket: "webhook_write",
  role: "admin",
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "A made-up event with `livemode: false` goes to this subscription alone, whatever its `eventTypes`, on the same way as a real one: signed, retried, and in the delivery history, where its outcome can be read. The ids in it belong to nothing.",
  params: SubscriptionParams,
  body: Body({ eventType: EventTypeName }, { title: "TestWebhook" }),
  bodyExample: { eventType: "asset.processing.completed" },
  responses: { 202: { description: "Queued.", schema: Delivery, example: queuedExample } },
  failures: ["not_found", "subscription_inactive"],
  async handler({ app, caller, params, body }) {
    const delivery = await send(app, {
      workspaceId: caller.workspaceId,
      subscriptionId: params.subscription_id,
      eventType: body.eventType,
    });
    return { status: 202, body: delivery };
  },
});
