import type { Route } from "../route.ts";
import { createSubscription } from "./create-subscription.ts";
import { deleteSubscription } from "./delete-subscription.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listSubscriptions } from "./list-subscriptions.ts";
import { readDelivery } from "./read-delivery.ts";
import { readSubscription } from "./read-subscription.ts";
import { recoverDeliveries } from "./recover-deliveries.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateSubscription } from "./update-subscription.ts";

export const webhookRoutes: readonly Route[] = [
  createSubscription,
  listSubscriptions,
  readSubscription,
  updateSubscription,
  deleteSubscription,
  sendTestEvent,
  rotateSecret,
  listDeliveries,
  readDelivery,
  replayDelivery,
  recoverDeliveries,
];
