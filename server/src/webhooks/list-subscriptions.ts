import type { App } from "../app.ts";
import { subscriptionOf, type Subscription } from "./subscription.ts";

/** Newest first, after the subscription that the cursor names. */
export async function listSubscriptions(
  app: App,
  options: { workspaceId: string; after?: string | undefined; limit: number },
): Promise<Subscription[]> {
  const { workspaceId, after, limit } = options;
  const rows = await app.db
    .selectFrom("webhookSubscriptions")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .$if(after !== undefined, (query) => query.where("subscriptionId", "<", after ?? ""))
    .orderBy("subscriptionId", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => subscriptionOf(app, row));
}
