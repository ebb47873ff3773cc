import { Type } from "typebox";
import { rotateSecret as rotate } from "../../webhooks/rotate-secret.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable } from "../schemas.ts";
import { RotatedSubscription, secretExample, subscriptionExample, SubscriptionParams } from "./schemas.ts";

const usualGraceSeconds = 86_400;

export const rotateSecret = defineRoute({
  method: "POST",
  path: "/webhooks/:subscription_id/secret/rotate",
  bucket: "webhook_write",
  role: "admin",
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Get a new secret",
  description:
    "The answer holds the new secret, which is not shown again. While the grace period lasts, deliveries carry two signatures, of the new and of the previous secret, so that receivers can change over without losing one. 0 ends the previous secret at once: for when it leaked.",
  params: SubscriptionParams,
  body: Nullable(
    Body(
      {
        gracePeriodSeconds: Maybe(
          Type.Integer({
            minimum: 0,
            maximum: 604_800,
            default: usualGraceSeconds,
            description: "How long the previous secret also signs: a day by default, a week at most.",
          }),
        ),
      },
      { title: "RotateSecret" },
    ),
  ),
  bodyExample: { gracePeriodSeconds: 3600 },
  responses: {
    200: {
      description: "The subscription with its new secret.",
      schema: RotatedSubscription,
      example: { ...subscriptionExample, secret: secretExample, previousSecretExpiresAt: "2026-11-15T10:30:00.000Z" },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params, body }) {
    const rotated = await rotate(app, {
      workspaceId: caller.workspaceId,
      subscriptionId: params.subscription_id,
      gracePeriodSeconds: body?.gracePeriodSeconds ?? usualGraceSeconds,
      actor: caller.actor,
    });
    return { status: 200, body: rotated };
  },
});
