import { listSubscriptions as list } from "../../webhooks/list-subscriptions.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body } from "../schemas.ts";
import { Subscription, subscriptionExample } from "./schemas.ts";

const usual = 50;

export const listSubscriptions = defineRoute({
  method: "GET",
  path: "/webhooks",
  bucket: "webhook_read",
  role: "admin",
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List subscriptions, newest first",
  description: "All webhook subscriptions of the workspace, without their secrets.",
  query: Body(pageQuery({ most: 100, usual })),
  responses: {
    200: {
      description: "A page of subscriptions.",
      schema: Page(Subscription, "WebhookSubscriptionPage"),
      example: { data: [subscriptionExample], hasMore: false, nextCursor: null },
    },
  },
  failures: [],
  async handler({ app, caller, query }) {
    const { workspaceId } = caller;
    const body = await readPage(query, {
      usual,
      list: (span) => list(app, { workspaceId, ...span }),
      idOf: ({ subscriptionId }) => subscriptionId,
    });
    return { status: 200, body };
  },
});
