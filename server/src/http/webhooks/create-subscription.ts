import { createSubscription as create } from "../../webhooks/create-subscription.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe } from "../schemas.ts";
import {
  Description,
  EventTypes,
  Headers,
  IsActive,
  secretExample,
  subscriptionExample,
  SubscriptionWithSecret,
  Url,
} from "./schemas.ts";

export const createSubscription = defineRoute({
  method: "POST",
  path: "/webhooks",
  bucket: "webhook_write",
  role: "admin",
  operationId: "createWebhook",
  tag: "Webhooks",
  summary: "Subscribe to events",
  description:
    "Events of the whole workspace, live and sandbox, are posted to `url`. The answer holds the `secret` that signatures are verified with: it is not shown again. A workspace may have 50 subscriptions. Try it with the test endpoint.",
  isIdempotent: true,
  body: Body(
    {
      url: Url,
      eventTypes: EventTypes,
      description: Maybe(Description),
      isActive: Maybe(IsActive),
      headers: Maybe(Headers),
    },
    { title: "NewWebhookSubscription" },
  ),
  bodyExample: {
    url: subscriptionExample.url,
    eventTypes: subscriptionExample.eventTypes,
    description: "Production",
    headers: subscriptionExample.headers,
  },
  responses: {
    201: {
      description: "Created.",
      schema: SubscriptionWithSecret,
      example: { ...subscriptionExample, secret: secretExample },
    },
  },
  failures: ["subscription_limit_reached"],
  async handler({ app, caller, body, idempotent }) {
    const created = await create(app, {
      workspaceId: caller.workspaceId,
      settings: body,
      idempotent,
      actor: caller.actor,
    });
    return { status: 201, body: created };
  },
});
