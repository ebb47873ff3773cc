import type { App } from "../../app.ts";
import type { DeliveryStatus } from "../../db/tables.ts";
import { nextAttempt } from "../sending/retry-schedule.ts";
import type { Attempt } from "../sending/sender.ts";
import type { Claimed } from "./claim-deliveries.ts";

/** An attempt that was made, and when it ended. */
export type Made = { claimed: Claimed; attempt: Attempt; at: Date };

const attemptsKept = 20;
const disableAfterMs = 5 * 24 * 60 * 60 * 1000;

/** Records attempts together: one statement for many costs little more than for one. */
export async function recordAttempts(app: App, made: readonly Made[]): Promise<void> {
  // Two statements, not one transaction: deleting a subscription locks in the other order. What a crash between them
  // leaves undone, the next attempt does.
  await recordHealth(app, made);
  await recordOutcomes(app, made);
}

async function recordOutcomes(app: App, made: readonly Made[]): Promise<void> {
  const rows = made.map(rowOf);
  await app.pool.query({
    name: "record_attempts",
    // An attempt whose lease was over, or whose delivery was replayed meanwhile, still counts if it succeeded.
    text: `
      with locked as (
        select delivery_id from deliveries where delivery_id = any ($1::uuid[]) order by delivery_id for update
      )
      update deliveries d set
        status = made.status, attempt = d.attempt + 1, next_attempt_at = made.next_attempt_at,
        last_attempt_at = made.at, response_status_code = made.status_code, response_body = made.response_body,
        duration_ms = made.duration_ms, error = made.error,
        attempts = (case when jsonb_array_length(d.attempts) >= ${attemptsKept} then d.attempts - 0 else d.attempts end)
          || jsonb_build_array(jsonb_build_object('attempt', d.attempt + 1, 'at', made.at_text,
            'responseStatusCode', made.status_code, 'durationMs', made.duration_ms, 'error', made.error))
      from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[],
          $7::int[], $8::text[], $9::int[], $10::text[])
        as made (delivery_id, lease, status, next_attempt_at, at, at_text, status_code, response_body, duration_ms, error)
        join locked using (delivery_id)
      where d.delivery_id = made.delivery_id and (d.next_attempt_at = made.lease or made.status = 'succeeded')`,
    values: columnsOf(rows),
  });
}

type Row = [
  string,
  Date,
  DeliveryStatus,
  Date | null,
  Date,
  string,
  number | null,
  string | null,
  number,
  string | null,
];

function rowOf({ claimed, attempt, at }: Made): Row {
  const next = nextAttempt({
    failures: claimed.attempt - claimed.scheduleStart + 1,
    now: at,
    retryAfterSeconds: attempt.retryAfterSeconds,
  });
  const nextAttemptAt = attempt.isSuccess || isGone(attempt) ? null : next;
  const status = attempt.isSuccess ? "succeeded" : nextAttemptAt ? "failed" : "exhausted";
  return [
    claimed.deliveryId,
    claimed.lease,
    status,
    nextAttemptAt,
    at,
    at.toISOString(),
    attempt.statusCode,
    attempt.responseBody,
    attempt.durationMs,
    attempt.error,
  ];
}

function columnsOf(rows: Row[]): unknown[] {
  return Array.from({ length: 10 }, (_, column) => rows.map((row) => row[column]));
}

/** Since when nothing but failures, and what follows: 410 disables at once, and so do five days of failures. */
async function recordHealth(app: App, made: readonly Made[]): Promise<void> {
  const succeeded = new Set(
    made.filter(({ attempt }) => attempt.isSuccess).map(({ claimed }) => claimed.subscriptionId),
  );
  const failed = new Map(
    made
      // A receiver that is gone is so whatever else it answered meanwhile.
      .filter(
        ({ attempt, claimed }) => isGone(attempt) || (!attempt.isSuccess && !succeeded.has(claimed.subscriptionId)),
      )
      .toSorted((a, b) => Number(isGone(a.attempt)) - Number(isGone(b.attempt)))
      .map(({ claimed, attempt }) => [claimed.subscriptionId, attempt]),
  );
  if (succeeded.size > 0)
    await app.pool.query({
      name: "record_working_subscriptions",
      text: `update webhook_subscriptions set failing_since = null
        where subscription_id = any ($1::uuid[]) and failing_since is not null`,
      values: [[...succeeded]],
    });
  if (failed.size === 0) return;
  const now = app.now();
  const { rows } = await app.pool.query<{
    subscription_id: string;
    workspace_id: string;
    disabled_reason: string | null;
  }>({
    name: "record_failing_subscriptions",
    text: `
      update webhook_subscriptions s set
        failing_since = coalesce(s.failing_since, $4),
        is_active = not (failed.is_gone or coalesce(s.failing_since <= $5, false)),
        disabled_reason = case
          when failed.is_gone then 'The receiver answered 410 Gone on ' || $6 || '.'
          when s.failing_since <= $5 then 'Nothing but failures for five days; the last: ' || failed.error || '.' end,
        updated_at = case when failed.is_gone or s.failing_since <= $5 then $4 else s.updated_at end
      from unnest($1::uuid[], $2::boolean[], $3::text[]) as failed (subscription_id, is_gone, error)
      where s.subscription_id = failed.subscription_id and s.is_active
        and (failed.is_gone or s.failing_since is null or s.failing_since <= $5)
      returning s.subscription_id, s.workspace_id, s.disabled_reason`,
    values: [
      [...failed.keys()],
      [...failed.values()].map(isGone),
      [...failed.values()].map(({ error }) => error),
      now,
      new Date(now.getTime() - disableAfterMs),
      now.toISOString(),
    ],
  });
  for (const { subscription_id, workspace_id, disabled_reason } of rows)
    if (disabled_reason !== null)
      app.log.warn({ subscriptionId: subscription_id, workspaceId: workspace_id, disabled_reason }, "webhook disabled");
}

function isGone({ statusCode }: Attempt): boolean {
  return statusCode === 410;
}
