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
  const { eventNumber } = await trx
    .updateTable("submissions")
    .set((set) => ({ eventNumber: set("eventNumber", "+", messages.length) }))
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .returning("eventNumber")
    .executeTakeFirstOrThrow();
  const first = eventNumber - messages.length + 1;
  const rows = await trx
    .insertInto("realtimeMessages")
    .values(
      messages.map(({ event, data }, index) => ({
        submissionId,
        workspaceId,
        event,
        eventNumber: first + index,
        data: JSON.stringify(data),
        createdAt: now,
      })),
    )
    .returning("isTerminal")
    .execute();
  const payload = notification({ workspaceId, submissionId, isTerminal: rows.some((row) => row.isTerminal) });
  await sql`select pg_notify(${messagesChannel}, ${payload})`.execute(trx);
}

type Notification = { workspaceId: string; submissionId: string; isTerminal: boolean };

function notification({ workspaceId, submissionId, isTerminal }: Notification): string {
  return `${workspaceId} ${submissionId}${isTerminal ? " terminal" : ""}`;
}

export function parseNotification(payload: string): Notification {
  const [workspaceId = "", submissionId = "", terminal] = payload.split(" ");
  return { workspaceId, submissionId, isTerminal: terminal !== undefined };
}
