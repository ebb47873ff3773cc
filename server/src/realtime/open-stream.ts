import type { App } from "../app.ts";
import { notFound } from "../not-found.ts";
import { readSubmission } from "../submissions/reading/read-submission.ts";
import type { Caller } from "../workspaces/caller.ts";
import { channelOf, kindOf, type Channel } from "./channel.ts";
import { holderOf } from "./holder.ts";
import { idFrame, messageFrame, reconnectAfter } from "./message.ts";
import { parseLastEventId } from "./position.ts";
import { readPosition } from "./read-messages.ts";
import type { Stream } from "./stream.ts";

const reconnectMs = 1000;

/** Opens a channel for a caller. The stream sends the current status first, then what happened since `lastEventId`. */
export async function openStream(
  app: App,
  options: { caller: Caller; channelName: string; lastEventId: string | undefined },
): Promise<Stream> {
  const { caller, channelName, lastEventId } = options;
  const { hub } = app.realtime;
  const resumed = lastEventId ? parseLastEventId(kindOf(channelName), lastEventId) : undefined;
  const { channel, position } = await findChannel(app, { channelName, workspaceId: caller.workspaceId });
  const stream = hub.admit(holderOf(caller));
  try {
    const topic = hub.topics.enter(channel, position);
    stream.readable.once("close", () => hub.topics.leave(topic, stream));
    const from = resumed ?? { position: topic.position };
    const id = lastEventId || topic.position;

    // After the topic is entered, so that what the status does not show yet is sent as a message.
    const status = channel.kind === "submission" ? await readSubmission(app, channel) : undefined;
    const first = status
      ? messageFrame({ channel, event: "submission.status", timestamp: app.now(), data: status, id })
      : idFrame(id);
    stream.send(Buffer.concat([reconnectAfter(reconnectMs), first]));
    hub.topics
      .join({ topic, stream, from, isResumed: resumed !== undefined, status: status?.status })
      .catch((error: unknown) => {
        if (!stream.isOver) app.log.error({ err: error, channel: channel.name }, "realtime stream failed");
        stream.drop("internal error");
      });
    return stream;
  } catch (error) {
    stream.drop("internal error");
    throw error;
  }
}

/** A channel of another workspace and one that never was look exactly the same. */
export async function findChannel(
  app: App,
  { channelName, workspaceId }: { channelName: string; workspaceId: string },
): Promise<{ channel: Channel; position: string }> {
  const channel = channelOf(channelName, workspaceId);
  const position = channel && (await readPosition(app.pool, channel));
  if (!channel || position === undefined) throw notFound("channel");
  return { channel, position };
}
