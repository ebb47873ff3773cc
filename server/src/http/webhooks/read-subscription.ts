import { findSubscription, subscriptionOf } from "../../webhooks/subscription.ts";
import { defineRoute } from "../route.ts";
import { Subscription, subscriptionExample, SubscriptionParams } from "./schemas.ts";

export const readSubscription = defineRoute({
  method: "GET",
  path: "/webhooks/:subscription_id",
  bucket: "webhook_read",
  role: "admin",
  operationId: "readWebhook",
  tag: "Webhooks",
  summary: "Read a subscription",
  description: "Without its secret. `disabledReason` says why the service disabled it, if it did.",
  params: SubscriptionParams,
  responses: { 200: { description: "The subscription.", schema: Subscription, example: subscriptionExample } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const { workspaceId } = caller;
    const row = await findSubscription(app.db, { workspaceId, subscriptionId: params.subscription_id });
    return { status: 200, body: subscriptionOf(app, row) };
  },
});
