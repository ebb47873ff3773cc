import { deleteSubscription as remove } from "../../webhooks/delete-subscription.ts";
import { defineRoute } from "../route.ts";
import { SubscriptionParams } from "./schemas.ts";

export const deleteSubscription = defineRoute({
  method: "DELETE",
  path: "/webhooks/:subscription_id",
  bucket: "webhook_write",
  role: "admin",
  operationId: "deleteWebhook",
  tag: "Webhooks",
  summary: "Delete a subscription",
  description:
    "Its history and whatever still waits to be delivered go with it. To stop for a while, pause it instead.",
  params: SubscriptionParams,
  responses: { 204: { description: "Gone.", schema: null } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    await remove(app, { workspaceId: caller.workspaceId, subscriptionId: params.subscription_id, actor: caller.actor });
    return { status: 204 };
  },
});
