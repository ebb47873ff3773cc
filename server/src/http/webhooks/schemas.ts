import { Type } from "typebox";
import { deliveryStatuses, subscribableEventTypes } from "../../db/tables.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

export const SubscriptionParams = Type.Object({ subscription_id: Uuid });
export const DeliveryParams = Type.Object({ subscription_id: Uuid, delivery_id: Uuid });

export const EventTypeName = OneOf(subscribableEventTypes);

/** What a request may set. */
export const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    "Where events are posted to: https, no credentials in it, and nothing private: neither an address nor, when it is delivered to, a name that resolves to one. Ports of other protocols (25, 6379 and the like) are refused.",
  examples: ["https://example.com/hooks/greenlit"],
});
export const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  uniqueItems: true,
  description:
    "The events it receives. `asset.review.decided` is sent when somebody decides about an asset: its ids, `decision`, `reason`, `conditions`, `markets` and `decided_by`. `asset.rejudged` is sent when `POST /rejudge` replaced an asset's result: its ids and how many findings are new, gone and changed. `certificate.issued` and `certificate.revoked` tell of certificates.",
});
export const Description = Type.String({ maxLength: 500, description: "For people. An empty text removes it." });
export const Headers = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string" },
  description:
    "Sent with every delivery, for example for a gateway in front of the receiver: at most 20 and 4 KiB together, and none that the service sets itself (`content-type`, `user-agent`, `webhook-…`, those of the connection). They are stored encrypted.",
  examples: [{ "X-Environment": "production" }],
});
export const IsActive = Type.Boolean({
  description: "False pauses: deliveries wait, and events that happen meanwhile are not queued (see recover).",
});

const subscriptionProperties = {
  subscriptionId: Uuid,
  url: Type.String(),
  eventTypes: Type.Array(EventTypeName),
  isActive: Type.Boolean(),
  description: Nullable(Type.String()),
  headers: Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string" },
    description: "The custom headers; values that look like credentials are shown as `…`.",
  }),
  disabledReason: Nullable(
    Type.String({
      description: "Why the service made it inactive: the receiver answered 410, or five days of nothing but failures.",
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Subscription = Type.Object(subscriptionProperties, { title: "WebhookSubscription" });

const secretProperty = {
  secret: Type.String({ description: "`whsec_…`: verify signatures with it. Shown only here; keep it." }),
};

export const SubscriptionWithSecret = Type.Object(
  { ...subscriptionProperties, ...secretProperty },
  { title: "WebhookSubscriptionWithSecret" },
);

export const RotatedSubscription = Type.Object(
  {
    ...subscriptionProperties,
    ...secretProperty,
    previousSecretExpiresAt: Nullable(
      Type.String({ format: "date-time", description: "Until then deliveries are signed with both secrets." }),
    ),
  },
  { title: "RotatedWebhookSubscription" },
);

export const subscriptionExample = {
  subscriptionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e20",
  url: "https://example.com/hooks/greenlit",
  eventTypes: ["asset.processing.completed", "asset.processing.failed"],
  isActive: true,
  description: "Production",
  headers: { "X-Environment": "production" },
  disabledReason: null,
  createdAt: "2026-11-15T09:30:00.000Z",
  updatedAt: "2026-11-15T09:30:00.000Z",
};

export const secretExample = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzQZ8XyEhJxE=";

const outcome = {
  responseStatusCode: Nullable(Type.Integer({ description: "Null: there was no answer." })),
  error: Nullable(
    Type.String({
      description:
        "What went wrong, in words: `connection refused`, `certificate expired`, `answered 500 in 120 ms`, `no answer within 15 s`. Null when it succeeded.",
    }),
  ),
};

export const DeliveryStatusName = OneOf(deliveryStatuses, {
  description:
    "`pending`: to be sent now, or waiting while the subscription is inactive. `failed`: the last attempt failed and another follows at `nextAttemptAt`. `exhausted`: nothing more is tried; replay it or recover the span of time. `succeeded`: answered 2xx.",
});

const deliveryProperties = {
  deliveryId: Uuid,
  eventId: Type.String({ format: "uuid", description: "The `webhook-id` of every attempt." }),
  eventType: EventTypeName,
  subscriptionId: Uuid,
  status: DeliveryStatusName,
  attempt: Type.Integer({ minimum: 0, description: "Attempts made so far." }),
  ...outcome,
  responseBody: Nullable(
    Type.String({
      description:
        "The first 4 KiB of the last answer, not decompressed. Null when there was none, or when the receiver is in a private network that the operator allowed.",
    }),
  ),
  durationMs: Nullable(Type.Integer()),
  attempts: Type.Array(
    Type.Object({ attempt: Type.Integer(), at: Timestamp, ...outcome, durationMs: Type.Integer() }),
    { description: "The last 20 attempts, oldest first." },
  ),
  createdAt: Timestamp,
  lastAttemptAt: Nullable(Timestamp),
  nextAttemptAt: Nullable(
    Type.String({
      format: "date-time",
      description:
        "Null: nothing more is tried. While an attempt runs: when it is made again if its outcome should get lost.",
    }),
  ),
};

export const Delivery = Type.Object(deliveryProperties, { title: "WebhookDelivery" });

export const DeliveryWithPayload = Type.Object(
  {
    ...deliveryProperties,
    payload: Type.String({ description: "The body as it was signed and sent: JSON, every byte as it is." }),
  },
  { title: "WebhookDeliveryWithPayload" },
);

export const deliveryExample = {
  deliveryId: "019a8c40-11a2-7b90-8c11-5d3b7a9e4f02",
  eventId: "019a8c40-11a1-7e05-9a44-0c2d4e6f8a10",
  eventType: "asset.processing.completed",
  subscriptionId: subscriptionExample.subscriptionId,
  status: "failed",
  attempt: 1,
  responseStatusCode: 500,
  error: "answered 500 in 120 ms",
  responseBody: "Internal Server Error",
  durationMs: 120,
  attempts: [
    {
      attempt: 1,
      at: "2026-11-15T09:31:12.480Z",
      responseStatusCode: 500,
      error: "answered 500 in 120 ms",
      durationMs: 120,
    },
  ],
  createdAt: "2026-11-15T09:31:12.345Z",
  lastAttemptAt: "2026-11-15T09:31:12.480Z",
  nextAttemptAt: "2026-11-15T09:31:17.702Z",
};

export const deliveryWithPayloadExample = {
  ...deliveryExample,
  payload: '{"type":"asset.processing.completed","timestamp":"2026-11-15T09:31:12.345Z","data":{"status":"complete"}}',
};

export const queuedExample = {
  ...deliveryExample,
  status: "pending",
  attempt: 0,
  responseStatusCode: null,
  error: null,
  responseBody: null,
  durationMs: null,
  attempts: [],
  lastAttemptAt: null,
  nextAttemptAt: "2026-11-15T09:31:12.345Z",
};
