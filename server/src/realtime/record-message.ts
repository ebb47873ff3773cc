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
  await trx
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
    .execute();
  await sql`select pg_notify(${messagesChannel}, ${`${workspaceId} ${submissionId}`})`.execute(trx);
}
