import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

export const announcementsChannel = "greenlit_announcements";

/** Sent on the workspace's channel as it happens and not kept: a client that missed it reads the list again. */
export type Announcement = {
  workspaceId: string;
  event: "review.changed" | "comment.created" | "renditions.changed";
  data: Record<string, unknown>;
};

/** Sent when the transaction commits. */
export async function announce(trx: Kysely<Tables>, announcement: Announcement): Promise<void> {
  await sql`select pg_notify(${announcementsChannel}, ${JSON.stringify(announcement)})`.execute(trx);
}

export function parseAnnouncement(payload: string): Announcement {
  return JSON.parse(payload) as Announcement;
}
