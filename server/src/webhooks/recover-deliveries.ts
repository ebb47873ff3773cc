import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { lockActiveSubscription, type SubscriptionIds } from "./subscription.ts";
import type { Actor } from "../workspaces/caller.ts";
import { recordSubscriptionChange } from "./record-change.ts";
import { wakeDeliverers } from "./wake-deliverers.ts";

type Span = SubscriptionIds & { since: Date; until: Date; now: Date };

const batchSize = 5000;

/**
 * Sends every event of a span of time that the subscription did not get: what failed, and what happened while it was
 * not active. What was delivered is not sent again.
 */
export async function recoverDeliveries(
  app: App,
  options: SubscriptionIds & { since: Date; until?: Date | undefined; actor?: Actor | undefined },
): Promise<{ count: number }> {
  const now = app.now();
  const span = { ...options, until: options.until ?? now, now };
  if (span.since >= span.until)
    throw new Failure("invalid_request", "The span is empty: since must be before until, and before now.", {
      details: [{ path: "since", message: "must be before until, and before now" }],
    });
  const place: Place = { deliveryId: "00000000-0000-0000-0000-000000000000", createdAt: span.since };
  let total = 0;
  // A span may hold millions: each batch commits by itself, and its deliveries begin.
  for (;;) {
    const { count, isLast } = await recoverSome(app, { span, place, actor: options.actor, isFirst: total === 0 });
    total += count;
    if (isLast) return { count: total };
  }
}

/** How far it has come: a delivery that fails again meanwhile is not taken up twice. */
type Place = { deliveryId: string; createdAt: Date };

async function recoverSome(
  app: App,
  options: { span: Span; place: Place; actor: Actor | undefined; isFirst: boolean },
): Promise<{ count: number; isLast: boolean }> {
  const { span, place, actor, isFirst } = options;
  const { workspaceId, subscriptionId } = span;
  return app.db.transaction().execute(async (trx) => {
    await lockSubscription(trx, span);
    await lockActiveSubscription(trx, span);
    const retried = await retryFailed(trx, span, place);
    const missed = await deliverMissed(trx, span, place);
    const count = retried + missed;
    if (count > 0) await wakeDeliverers(trx);
    const action = "webhook.deliveries_recovered";
    if (count > 0 || isFirst)
      await recordSubscriptionChange(app, trx, { workspaceId, subscriptionId, actor, action, detail: { count } });
    return { count, isLast: retried < batchSize && missed < batchSize };
  });
}

/** Two recoveries at once would both find the same events missing. */
async function lockSubscription(trx: Kysely<Tables>, ids: SubscriptionIds): Promise<void> {
  await trx
    .selectFrom("webhookSubscriptions")
    .select("subscriptionId")
    .where("subscriptionId", "=", ids.subscriptionId)
    .where("workspaceId", "=", ids.workspaceId)
    .forNoKeyUpdate()
    .execute();
}

async function retryFailed(trx: Kysely<Tables>, span: Span, place: Place): Promise<number> {
  const { rows } = await sql<{ deliveryId: string }>`
    with failed as (
      select d.delivery_id from deliveries d join events e using (event_id)
      where d.subscription_id = ${span.subscriptionId} and d.workspace_id = ${span.workspaceId}
        and d.delivery_id > ${place.deliveryId}
        and d.status in ('failed', 'exhausted') and e.test_subscription_id is null
        and e.created_at >= ${span.since} and e.created_at < ${span.until}
      -- In the order in which workers lock them when they record attempts.
      order by d.delivery_id limit ${batchSize} for update of d
    ), retried as (
      update deliveries d set status = 'pending', next_attempt_at = ${span.now}, schedule_start = d.attempt
      from failed where d.delivery_id = failed.delivery_id
    )
    select delivery_id from failed order by delivery_id`.execute(trx);
  place.deliveryId = rows.at(-1)?.deliveryId ?? place.deliveryId;
  return rows.length;
}

async function deliverMissed(trx: Kysely<Tables>, span: Span, place: Place): Promise<number> {
  const { rows } = await sql<{ eventId: string; createdAt: Date }>`
    select e.event_id, e.created_at from events e join webhook_subscriptions s on s.workspace_id = e.workspace_id
    where s.subscription_id = ${span.subscriptionId} and s.workspace_id = ${span.workspaceId}
      and e.created_at >= ${place.createdAt} and e.created_at < ${span.until}
      and e.type = any(s.event_types) and e.test_subscription_id is null
      and not exists (
        select from deliveries d where d.event_id = e.event_id and d.subscription_id = s.subscription_id
      )
    order by e.created_at limit ${batchSize}
    -- Retention may remove an event between the two statements.
    for key share of e`.execute(trx);
  const eventIds = rows.map(({ eventId }) => eventId);
  const deliveryIds = rows.map(() => uuidv7(span.now.getTime()));
  await sql`
    insert into deliveries
      (delivery_id, event_id, subscription_id, workspace_id, status, created_at, next_attempt_at)
    select delivery_id, event_id, ${span.subscriptionId}, ${span.workspaceId}, 'pending', ${span.now}, ${span.now}
    from unnest(${deliveryIds}::uuid[], ${eventIds}::uuid[]) as missed (delivery_id, event_id)`.execute(trx);
  place.createdAt = rows.at(-1)?.createdAt ?? place.createdAt;
  return rows.length;
}
