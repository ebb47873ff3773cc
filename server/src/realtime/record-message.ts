import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

export const messagesChannel = "greenlit_messages";

/** Kept messages, which a client that reconnects gets again. */
export type RealtimeEvent =
  | "submission.status"
  | "asset.issue"
  | "asset.restarted"
  | "asset.completed"
  | "asset.failed";

/**
 * Stores what happened for the submission's channel, in the transaction that makes it true. The number comes from the
 * submission's own row, whose lock the transaction keeps: numbers commit in order, so a reader never skips one.
 * The data of `submission.status` has `status`: the stream ends when that is terminal, and goes on after a retry.
 */
export async function recordMessages(
  trx: Kysely<Tables>,
  options: {
    submissionId: string;
    workspaceId: string;
    now: Date;
    messages: { event: RealtimeEvent; data: Record<string, unknown> }[];
  },
): Promise<void> {
  const { submissionId, workspaceId, now, messages } = options;
  if (messages.length === 0) return;
  const payload = `${workspaceId} ${submissionId}`;
  // One statement: every change of every asset passes here, and each round trip would hold the submission's lock longer.
  await sql`
    with numbered as (
      update submissions set event_number = event_number + ${messages.length}::int
        where submission_id = ${submissionId} and workspace_id = ${workspaceId}
        returning event_number
    ), stored as (
      insert into realtime_messages (submission_id, workspace_id, event_number, event, data, created_at)
        select ${submissionId}::uuid, ${workspaceId}, numbered.event_number - ${messages.length}::int + place,
            message ->> 'event', message -> 'data', ${now}::timestamptz
          from numbered, jsonb_array_elements(${JSON.stringify(messages)}::jsonb) with ordinality as told (message, place)
        returning is_terminal
    )
    select pg_notify(${messagesChannel}, ${payload}::text || case when bool_or(is_terminal) then ${terminalMark}::text else '' end)
      from stored`.execute(trx);
}

const terminalMark = " terminal";

type Notification = { workspaceId: string; submissionId: string; isTerminal: boolean };

export function parseNotification(payload: string): Notification {
  const [workspaceId = "", submissionId = "", terminal] = payload.split(" ");
  return { workspaceId, submissionId, isTerminal: terminal !== undefined };
}
