import type { Kysely } from "kysely";
import { prepareStatement } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";

export const messagesChannel = "greenlit_messages";

/** Kept messages, which a client that reconnects gets again. */
export type RealtimeEvent =
  | "submission.status"
  | "asset.issue"
  | "asset.restarted"
  | "asset.completed"
  | "asset.failed";

/** The data of `submission.status` has `status`: the stream ends when that is terminal, and goes on after a retry. */
export type Message = { event: RealtimeEvent; data: Record<string, unknown> };

const terminalMark = " terminal";

/**
 * Parts of a statement that stores `:messages` of a submission (`:submissionId`, `:workspaceId`) at a time (`:now`), after
 * a part `submission` that has raised its event number by as many. The number comes from the submission's own row, whose lock the transaction
 * keeps: numbers commit in order, so a reader never skips one.
 */
export const storeMessages = `message as (
    insert into realtime_messages (submission_id, workspace_id, event_number, event, data, created_at)
      select submission_id, workspace_id, event_number - jsonb_array_length(:messages) + place, told ->> 'event', told -> 'data',
          :now::timestamptz
        from submission, jsonb_array_elements(:messages) with ordinality as new (told, place)
      returning is_terminal
  )`;

/** What is selected from such a statement, once, so that the listeners hear of it. */
export const notifyMessages = `(
    select pg_notify('${messagesChannel}', :workspaceId || ' ' || :submissionId || case when bool_or(is_terminal) then '${terminalMark}' else '' end)
      from message having count(*) > 0
  ) as told`;

/** Stores what happened for the submission's channel, in the transaction that makes it true. */
export async function recordMessages(
  trx: Kysely<Tables>,
  options: { submissionId: string; workspaceId: string; now: Date; messages: Message[] },
): Promise<void> {
  const { submissionId, workspaceId, now, messages } = options;
  await raiseAndStore(trx, { submissionId, workspaceId, messages: JSON.stringify(messages), now });
}

const raiseAndStore = prepareStatement<
  { submissionId: string; workspaceId: string; messages: string; now: Date },
  { told: null }
>(`
  with submission as (
    update submissions set event_number = event_number + jsonb_array_length(:messages)
      where submission_id = :submissionId and workspace_id = :workspaceId
      returning submission_id, workspace_id, event_number
  ), ${storeMessages}
  select ${notifyMessages} from submission`);

type Notification = { workspaceId: string; submissionId: string; isTerminal: boolean };

export function parseNotification(payload: string): Notification {
  const [workspaceId = "", submissionId = "", terminal] = payload.split(" ");
  return { workspaceId, submissionId, isTerminal: terminal !== undefined };
}
