import type { App } from "../../app.ts";
import { openHeaders } from "../custom-headers.ts";
import type { Message } from "../sending/sender.ts";
import type { Share, Waiting } from "./fair-share.ts";

/** A delivery that this process has until its lease is over; then another takes it. */
export type Claimed = {
  deliveryId: string;
  subscriptionId: string;
  workspaceId: string;
  attempt: number;
  scheduleStart: number;
  lease: Date;
  message: Message;
};

/** Longer than an attempt and its recording, or a slow receiver would get everything twice. */
const leaseMs = 30_000;

/**
 * The active subscriptions with deliveries left to make and the time of their next, by jumping from one to the next in
 * the index: how many deliveries wait behind each does not matter.
 */
export async function findWaiting({ pool }: App): Promise<Waiting[]> {
  const { rows } = await pool.query<{ subscription_id: string; next_attempt_at: Date }>({
    name: "find_waiting_subscriptions",
    text: `
      with recursive waiting as (
        (select subscription_id, next_attempt_at from deliveries where next_attempt_at is not null
          order by subscription_id, next_attempt_at limit 1)
        union all
        select next.* from waiting cross join lateral (
          select subscription_id, next_attempt_at from deliveries
          where next_attempt_at is not null and subscription_id > waiting.subscription_id
          order by subscription_id, next_attempt_at limit 1
        ) next
      )
      select waiting.* from waiting join webhook_subscriptions using (subscription_id) where is_active`,
  });
  return rows.map((row) => ({ subscriptionId: row.subscription_id, dueAt: row.next_attempt_at }));
}

export async function claimDeliveries(app: App, shares: readonly Share[]): Promise<Claimed[]> {
  if (shares.length === 0) return [];
  const now = app.now();
  const lease = new Date(now.getTime() + leaseMs);
  const { rows } = await app.pool.query<DeliveryRow>({
    name: "claim_deliveries",
    // An array rather than a join: the planner takes the limits for large, and would read the whole table.
    text: `
      update deliveries set next_attempt_at = $4
      where delivery_id = any (array (
        select due.delivery_id
        from unnest($1::uuid[], $2::int[]) as share (subscription_id, most)
        cross join lateral (
          select delivery_id from deliveries
          where subscription_id = share.subscription_id and next_attempt_at <= $3
          order by next_attempt_at limit share.most
          for update skip locked
        ) due
      ))
      returning delivery_id, event_id, subscription_id, workspace_id, attempt, schedule_start`,
    values: [shares.map((share) => share.subscriptionId), shares.map((share) => share.most), now, lease],
  });
  if (rows.length === 0) return [];

  const [bodies, subscriptions] = await Promise.all([readBodies(app, rows), readSubscriptions(app, rows)]);
  return rows.flatMap((row) => {
    const body = bodies.get(row.event_id);
    const subscription = subscriptions.get(row.subscription_id);
    // Deleted or paused a moment ago. The lease runs out, and what is paused waits.
    if (body === undefined || !subscription) return [];
    return [
      {
        deliveryId: row.delivery_id,
        subscriptionId: row.subscription_id,
        workspaceId: row.workspace_id,
        attempt: row.attempt,
        scheduleStart: row.schedule_start,
        lease,
        message: { ...subscription, eventId: row.event_id, body },
      },
    ];
  });
}

/** Gives back what was claimed and not attempted, so that another process need not wait for the lease. */
export async function releaseDeliveries(app: App, claimed: readonly Claimed[]): Promise<void> {
  await app.pool.query(
    `update deliveries set next_attempt_at = $3 from unnest($1::uuid[], $2::timestamptz[]) as claim (delivery_id, lease)
      where deliveries.delivery_id = claim.delivery_id and next_attempt_at = claim.lease`,
    [claimed.map(({ deliveryId }) => deliveryId), claimed.map(({ lease }) => lease), app.now()],
  );
}

type DeliveryRow = {
  delivery_id: string;
  event_id: string;
  subscription_id: string;
  workspace_id: string;
  attempt: number;
  schedule_start: number;
};

async function readBodies({ pool }: App, deliveries: DeliveryRow[]): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ event_id: string; body: string }>({
    name: "read_event_bodies",
    text: "select event_id, body::text as body from events where event_id = any ($1::uuid[])",
    values: [deliveries.map((row) => row.event_id)],
  });
  return new Map(rows.map((row) => [row.event_id, row.body]));
}

type SubscriptionRow = {
  subscription_id: string;
  url: string;
  headers: Record<string, unknown>;
  secret: Buffer;
  previous_secret: Buffer | null;
};

async function readSubscriptions(
  app: App,
  deliveries: DeliveryRow[],
): Promise<Map<string, Omit<Message, "eventId" | "body">>> {
  const { rows } = await app.pool.query<SubscriptionRow>({
    name: "read_subscriptions_to_deliver",
    text: `
      select subscription_id, url, headers, secret,
        case when previous_secret_expires_at > $2 then previous_secret end as previous_secret
      from webhook_subscriptions where subscription_id = any ($1::uuid[]) and is_active`,
    values: [[...new Set(deliveries.map((row) => row.subscription_id))], app.now()],
  });
  return new Map(
    rows.map((row) => [
      row.subscription_id,
      {
        url: row.url,
        headers: openHeaders(app.vault, row.headers),
        secrets: [row.secret, row.previous_secret]
          .filter((secret) => secret !== null)
          .map((secret) => app.vault.decrypt(secret)),
      },
    ]),
  );
}
