import type { Announcement } from "./announce.ts";
import type { Channel } from "./channel.ts";
import type { RealtimeEvent } from "./record-message.ts";

/** A kept message as it is stored. */
export type StoredMessage = {
  submissionId: string;
  eventNumber: number;
  event: RealtimeEvent;
  data: Record<string, unknown>;
  createdAt: Date;
  transactionId: string;
};

export const keepAlive = Buffer.from(": keep-alive\n\n");

/** How long a client waits before it connects again; spread, so that a restart does not bring all of them at once. */
export function reconnectAfter(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${Math.round(milliseconds * (1 + Math.random()))}\n\n`);
}

/** Sets the client's Last-Event-ID without being an event of its own. */
export function idFrame(id: string): Buffer {
  return Buffer.from(`id: ${id}\n\n`);
}

/** One message as the bytes that go to every listener. */
export function messageFrame(message: {
  channel: Channel;
  event: RealtimeEvent | "asset.progress" | Announcement["event"];
  timestamp: Date;
  data: object;
  /** Left out: the client's Last-Event-ID stays what it was. */
  id?: string | undefined;
}): Buffer {
  const { channel, event, timestamp, data, id } = message;
  const text = JSON.stringify({ event, channel: channel.name, timestamp: timestamp.toISOString(), data });
  return Buffer.from(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`);
}

/** A kept message for a channel. It names its submission, which its data need not. */
export function storedFrame(channel: Channel, message: StoredMessage, id: string): Buffer {
  const { submissionId, event, createdAt } = message;
  return messageFrame({ channel, event, timestamp: createdAt, data: { submissionId, ...message.data }, id });
}

/** The status that the messages leave the submission in; undefined when they do not say. */
export function lastStatus(messages: readonly StoredMessage[]): unknown {
  return messages.findLast(({ event }) => event === "submission.status")?.data["status"];
}

export function isTerminal(status: unknown): boolean {
  return status === "complete" || status === "failed";
}
