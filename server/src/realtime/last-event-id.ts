import { Failure } from "../failure.ts";
import type { Channel } from "./channel.ts";
import type { Position } from "./read-messages.ts";

/** The position that a client wants to go on from: an `id` of the channel, or `0` for everything that is kept. */
export function parseLastEventId(channel: Channel["kind"], id: string | undefined): Position | undefined {
  if (id === undefined || id === "") return undefined;
  if (channel === "submission" && /^\d{1,15}$/.test(id)) return id;
  if (channel === "workspace" && id === "0") return "1:1:";
  if (channel === "workspace" && isSnapshot(id)) return id;
  throw new Failure(
    "invalid_request",
    "The last event id is not one of this channel. Send the id of the last message you got, 0 for all that is kept, or none.",
    { details: [{ path: "lastEventId", message: "must be an id of this channel" }] },
  );
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
