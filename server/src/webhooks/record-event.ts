import type { Kysely } from "kysely";
import { prepareStatement } from "../db/prepared.ts";
import type { EventType, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";

export type NewEvent = {
  workspaceId: string;
  submissionId: string;
  assetId: string;
  type: EventType;
  /** snake_case, as webhooks carry it. */
  data: Record<string, unknown>;
  now: Date;
};

export const deliveriesChannel = "greenlit_deliveries";

/**
 * Stores an event and a delivery for every active subscription to its type, in the transaction that makes it true.
 * Returns how many subscriptions will be notified.
 */
export async function recordEvent(trx: Kysely<Tables>, event: NewEvent): Promise<number> {
  const { submissionId, workspaceId, now } = event;
  const [row] = await storeAlone(trx, { submissionId, workspaceId, now, event: writeEvent(event) });
  return row?.deliveries ?? 0;
}

/** The event for a statement that has `storeEvent`. Its body is text in it: what is signed and sent keeps its spelling. */
export function writeEvent({ assetId, type, data, now }: NewEvent): string {
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  return JSON.stringify({ eventId: uuidv7(now.getTime()), assetId, type, body });
}

/**
 * Parts of a statement that stores an `:event`, which may be null, of a workspace (`:workspaceId`) at a time (`:now`),
 * after a part `submission` that is empty when nothing may be stored. Ids of deliveries are of version 7, as everywhere.
 * The subscriptions are locked as the foreign key would: one that is deleted at this moment would fail the whole
 * statement.
 */
export const storeEvent = `event as (
    insert into events (event_id, workspace_id, submission_id, asset_id, type, body, created_at)
      select "eventId", submission.workspace_id, submission.submission_id, "assetId", type, body::json, :now::timestamptz from submission,
        jsonb_to_record(:event::jsonb) as new ("eventId" uuid, "assetId" uuid, type text, body text)
      where "eventId" is not null
      returning event_id, workspace_id, type
  ), subscription as materialized (
    select subscription_id from webhook_subscriptions
      where workspace_id = :workspaceId and is_active and (select type from event) = any(event_types)
      order by subscription_id for key share
  ), delivery as (
    insert into deliveries (delivery_id, event_id, subscription_id, workspace_id, status, created_at, next_attempt_at)
      select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
            substring(int8send(floor(extract(epoch from :now::timestamptz) * 1000)::bigint) from 3) from 1 for 6
          ), 52, 1), 53, 1), 'hex')::uuid, event_id, subscription_id, workspace_id, 'pending', :now::timestamptz, :now::timestamptz
        from event cross join subscription
      returning delivery_id
  )`;

/** What is selected from such a statement, once, so that the workers hear of it. */
export const notifyDeliveries = `(
    select pg_notify('${deliveriesChannel}', '') from delivery having count(*) > 0
  ) as woken`;

const storeAlone = prepareStatement<
  { submissionId: string; workspaceId: string; now: Date; event: string },
  { deliveries: number }
>(`
  with submission as (select :submissionId::uuid as submission_id, :workspaceId::text as workspace_id), ${storeEvent}
  select (select count(*) from delivery)::integer as deliveries, ${notifyDeliveries}`);
