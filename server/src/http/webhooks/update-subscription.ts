import { updateSubscription as update } from "../../webhooks/update-subscription.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe } from "../schemas.ts";
import {
  Description,
  EventTypes,
  Headers,
  IsActive,
  Subscription,
  subscriptionExample,
  SubscriptionParams,
  Url,
} from "./schemas.ts";

export const updateSubscription = defineRoute({
  method: "PATCH",
  path: "/webhooks/:subscription_id",
  bucket: "webhook_write",
  role: "admin",
  operationId: "updateWebhook",
  tag: "Webhooks",
  summary: "Change, pause or resume a subscription",
  description:
    "What is left out stays; `eventTypes` and `headers` are replaced as a whole. `isActive: false` pauses: deliveries that wait keep waiting. `isActive: true` resumes them, and clears `disabledReason`. What happened during the pause can be fetched with the recover endpoint.",
  params: SubscriptionParams,
  body: Body(
    {
      url: Maybe(Url),
      eventTypes: Maybe(EventTypes),
      description: Maybe(Description),
      isActive: Maybe(IsActive),
      headers: Maybe(Headers),
    },
    { title: "WebhookSubscriptionChanges" },
  ),
  bodyExample: { isActive: true },
  responses: { 200: { description: "As it is now.", schema: Subscription, example: subscriptionExample } },
  failures: ["not_found"],
  async handler({ app, caller, params, body }) {
    const { workspaceId, actor } = caller;
    const changed = await update(app, { workspaceId, subscriptionId: params.subscription_id, changes: body, actor });
    return { status: 200, body: changed };
  },
});
