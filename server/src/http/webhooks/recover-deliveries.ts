import { Type } from "typebox";
import { recoverDeliveries as recover } from "../../webhooks/recover-deliveries.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Timestamp } from "../schemas.ts";
import { invalid } from "../validate.ts";
import { SubscriptionParams } from "./schemas.ts";

export const recoverDeliveries = defineRoute({
  method: "POST",
  path: "/webhooks/:subscription_id/recover",
  bucket: "webhook_write",
  role: "admin",
  operationId: "recoverWebhookDeliveries",
  tag: "Webhooks",
  summary: "Send what a subscription missed in a span of time",
  description:
    "Every event of the span that this subscription did not get is sent now: what failed or was given up, and what happened while it was inactive or before it was made. What it got is not sent again.",
  params: SubscriptionParams,
  body: Body(
    {
      since: Timestamp,
      until: Maybe(Type.String({ format: "date-time", description: "Now by default." })),
    },
    { title: "RecoverDeliveries" },
  ),
  bodyExample: { since: "2026-11-14T22:00:00.000Z", until: "2026-11-15T06:00:00.000Z" },
  responses: {
    202: {
      description: "Queued.",
      schema: Type.Object(
        { count: Type.Integer({ minimum: 0, description: "How many deliveries were queued." }) },
        { title: "RecoveredDeliveries" },
      ),
      example: { count: 12 },
    },
  },
  failures: ["not_found", "subscription_inactive"],
  async handler({ app, caller, params, body }) {
    const recovered = await recover(app, {
      workspaceId: caller.workspaceId,
      subscriptionId: params.subscription_id,
      since: timeOf("since", body.since),
      until: body.until ? timeOf("until", body.until) : undefined,
      actor: caller.actor,
    });
    return { status: 202, body: recovered };
  },
});

/** RFC 3339 has leap seconds, which fit its pattern; a Date has none. */
function timeOf(path: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalid("body", [{ path, message: "must be a time without a leap second" }]);
  return time;
}
