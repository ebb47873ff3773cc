import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import type { EventType, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { beginIdempotent, keepAnswer, type IdempotentRequest } from "../workspaces/idempotency.ts";
import { checkSettings } from "./check-settings.ts";
import { sealHeaders } from "./custom-headers.ts";
import type { Actor } from "../workspaces/caller.ts";
import { recordSubscriptionChange } from "./record-change.ts";
import { newWebhookSecret } from "./sending/signature.ts";
import { subscriptionOf, type Subscription } from "./subscription.ts";

const maxSubscriptions = 50;

export type SubscriptionSettings = {
  url: string;
  eventTypes: EventType[];
  description?: string | null | undefined;
  isActive?: boolean | null | undefined;
  headers?: Record<string, string> | null | undefined;
};

/** The secret is in this answer, and in that of a rotation, and nowhere else. */
export async function createSubscription(
  app: App,
  options: {
    workspaceId: string;
    settings: SubscriptionSettings;
    idempotent: IdempotentRequest | undefined;
    actor?: Actor | undefined;
  },
): Promise<Subscription & { secret: string }> {
  const { workspaceId, settings, idempotent } = options;
  checkSettings(app, settings);
  const secret = newWebhookSecret();
  const now = app.now();

  return app.db.transaction().execute(async (trx) => {
    if (idempotent) await beginIdempotent(app, trx, idempotent);
    await checkRoom(trx, workspaceId);
    const row = await trx
      .insertInto("webhookSubscriptions")
      .values({
        subscriptionId: uuidv7(now.getTime()),
        workspaceId,
        url: settings.url,
        eventTypes: settings.eventTypes,
        description: settings.description || null,
        isActive: settings.isActive ?? true,
        headers: sealHeaders(app.vault, settings.headers ?? {}),
        secret: app.vault.encrypt(secret),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const created = { ...subscriptionOf(app, row), secret };
    if (idempotent) await keepAnswer(app, trx, { request: idempotent, answer: { status: 201, body: created } });
    await recordSubscriptionChange(app, trx, {
      workspaceId,
      subscriptionId: row.subscriptionId,
      actor: options.actor,
      action: "webhook.created",
      detail: { origin: new URL(settings.url).origin, eventTypes: settings.eventTypes },
    });
    return created;
  });
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
  if (count >= maxSubscriptions)
    throw new Failure(
      "subscription_limit_reached",
      `A workspace may have ${maxSubscriptions} webhook subscriptions, and this one has them. Delete one that is not used any more.`,
    );
}
