import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import type { EventType, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { checkSettings } from "./check-settings.ts";
import { sealHeaders } from "./custom-headers.ts";
import { newWebhookSecret } from "./sending/signature.ts";
import { subscriptionOf, type Subscription } from "./subscription.ts";

const mostSubscriptions = 50;

export type NewSubscription = {
  workspaceId: string;
  url: string;
  eventTypes: EventType[];
  description?: string | null | undefined;
  isActive?: boolean | null | undefined;
  headers?: Record<string, string> | null | undefined;
};

/** The secret is in this answer, and in that of a rotation, and nowhere else. */
export async function createSubscription(
  app: App,
  trx: Kysely<Tables>,
  input: NewSubscription,
): Promise<Subscription & { secret: string }> {
  checkSettings(app, input);
  await checkRoom(trx, input.workspaceId);

  const secret = newWebhookSecret();
  const now = app.now();
  const row = await trx
    .insertInto("webhookSubscriptions")
    .values({
      subscriptionId: uuidv7(now.getTime()),
      workspaceId: input.workspaceId,
      url: input.url,
      eventTypes: input.eventTypes,
      description: input.description || null,
      isActive: input.isActive ?? true,
      headers: sealHeaders(app.vault, input.headers ?? {}),
      secret: app.vault.encrypt(secret),
      createdAt: now,
      updatedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...subscriptionOf(app, row), secret };
}

/** With the workspace's row locked: of several at once, only as many as there is room for get through. */
async function checkRoom(trx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await trx
    .selectFrom("workspaces")
    .select("workspaceId")
    .where("workspaceId", "=", workspaceId)
    .forNoKeyUpdate()
    .execute();
  const { count } = await trx
    .selectFrom("webhookSubscriptions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  if (count >= mostSubscriptions)
    throw new Failure(
      "subscription_limit_reached",
      `A workspace may have ${mostSubscriptions} webhook subscriptions, and this one has them. Delete one that is not used any more.`,
    );
}
