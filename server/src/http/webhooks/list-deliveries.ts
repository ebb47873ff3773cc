import { listDeliveries as list } from "../../webhooks/list-deliveries.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe } from "../schemas.ts";
import { Delivery, deliveryExample, DeliveryStatusName, SubscriptionParams } from "./schemas.ts";

const usual = 50;

export const listDeliveries = defineRoute({
  method: "GET",
  path: "/webhooks/:subscription_id/deliveries",
  bucket: "webhook_read",
  role: "admin",
  operationId: "listWebhookDeliveries",
  tag: "Webhooks",
  summary: "Read the delivery history, newest first",
  description:
    "One entry for each event, with what every attempt came to. `status=failed` and `status=exhausted` show what to look at.",
  params: SubscriptionParams,
  query: Body({ status: Maybe(DeliveryStatusName), ...pageQuery({ most: 100, usual }) }),
  responses: {
    200: {
      description: "A page of deliveries.",
      schema: Page(Delivery, "WebhookDeliveryPage"),
      example: { data: [deliveryExample], hasMore: false, nextCursor: null },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params, query }) {
    const { workspaceId } = caller;
    const body = await readPage(query, {
      usual,
      list: (span) =>
        list(app, { workspaceId, subscriptionId: params.subscription_id, status: query.status ?? undefined, ...span }),
      idOf: ({ deliveryId }) => deliveryId,
    });
    return { status: 200, body };
  },
});
