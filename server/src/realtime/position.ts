import { Failure } from "../failure.ts";
import type { Channel } from "./channel.ts";
import type { StoredMessage } from "./message.ts";

/**
 * How far a channel was read, as text. Of a submission: the last number. Of a workspace, whose submissions commit in no
 * common order: the `pg_snapshot` of the read, which says of every transaction whether it was seen. Either way what is
 * after a position can be read without a hole or a repeat.
 */
export type Position = string;

export type MessageKey = { transactionId: string; submissionId: string; eventNumber: number };

/** Where a client goes on: after a position, of which it may have seen what lies before a key on the way to the next one. */
export type ResumePoint = { position: Position; within?: { upTo: Position; after: MessageKey } };

/** The id of a message that was read on the way from one position to another. */
export function messageId(
  { kind }: Channel,
  message: StoredMessage,
  { from, to, isLast }: { from: Position; to: Position; isLast: boolean },
): string {
  const { transactionId, submissionId, eventNumber } = message;
  if (kind === "submission") return eventNumber.toString();
  return isLast ? to : [from, to, transactionId, submissionId, eventNumber].join("/");
}

/** The point that an id of the channel names; `0` is before everything that is kept. */
export function parseLastEventId(kind: Channel["kind"], id: string): ResumePoint {
  const point = kind === "submission" ? submissionPoint(id) : workspacePoint(id);
  if (point) return point;
  throw new Failure(
    "invalid_request",
    "The last event id is not one of this channel. Send the id of the last message you got, 0 for all that is kept, or none.",
    { details: [{ path: "lastEventId", message: "must be an id of this channel" }] },
  );
}

function submissionPoint(id: string): ResumePoint | undefined {
  return /^\d{1,15}$/.test(id) ? { position: id } : undefined;
}

function workspacePoint(id: string): ResumePoint | undefined {
  if (id === "0") return { position: "1:1:" };
  const [position = "", upTo, transactionId = "", submissionId = "", eventNumber = ""] = id.split("/");
  if (!isSnapshot(position)) return undefined;
  if (upTo === undefined) return { position };
  const isKey = /^\d{1,18} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} \d{1,15}$/.test(
    [transactionId, submissionId, eventNumber].join(" "),
  );
  if (!isSnapshot(upTo) || !isKey) return undefined;
  return { position, within: { upTo, after: { transactionId, submissionId, eventNumber: Number(eventNumber) } } };
}

/** What PostgreSQL would refuse as a `pg_snapshot` must not get there: it would be an error of ours. */
function isSnapshot(text: string): boolean {
  const [, low, high, list] = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18},)*\d{1,18})?$/.exec(text) ?? [];
  if (low === undefined || high === undefined) return false;
  const [xmin, xmax] = [BigInt(low), BigInt(high)];
  const running = list === undefined ? [] : list.split(",").map(BigInt);
  return (
    xmin > 0n &&
    xmin <= xmax &&
    running.every((xid, index) => xid >= xmin && xid < xmax && (index === 0 || xid > (running[index - 1] ?? 0n)))
  );
}
