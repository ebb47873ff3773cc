import { listDeliveries as list } from "../../webhooks/list-deliveries.ts";
import { decodeCursor, encodeCursor, Page, pageQuery, uuidPattern } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe } from "../schemas.ts";
import { Delivery, deliveryExample, DeliveryStatusName, SubscriptionParams } from "./schemas.ts";

const usual = 50;

export const listDeliveries = defineRoute({
  method: "GET",
  path: "/webhooks/:subscription_id/deliveries",
  bucket: "webhook_read",
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
    const limit = query.limit ?? usual;
    const rows = await list(app, {
      workspaceId: caller.workspaceId,
      subscriptionId: params.subscription_id,
      status: query.status ?? undefined,
      after: decodeCursor(query.cursor, uuidPattern),
      limit: limit + 1,
    });
    const data = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      status: 200,
      body: { data, hasMore, nextCursor: hasMore ? encodeCursor(data.at(-1)?.deliveryId) : null },
    };
  },
});
