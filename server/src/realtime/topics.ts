import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { databaseUnavailable } from "../db/database.ts";
import type { Listener } from "../db/listen.ts";
import { announcementsChannel, parseAnnouncement } from "./announce.ts";
import { submissionChannel, workspaceChannel, type Channel } from "./channel.ts";
import {
  idFrame,
  isTerminal,
  lastStatus,
  messageFrame,
  reconnectAfter,
  storedFrame,
  type StoredMessage,
} from "./message.ts";
import { messageId, type Position, type ResumePoint } from "./position.ts";
import { parseProgress, progressChannel } from "./progress.ts";
import { readBetween, readNews, type PageReader } from "./read-messages.ts";
import { messagesChannel, parseNotification } from "./record-message.ts";
import type { Stream } from "./stream.ts";

/** A channel that somebody in this process follows. */
export type Topic = {
  readonly channel: Channel;
  /** How far the channel was read and sent to the live streams; only the pump moves it. */
  position: Position;
  /** Streams that were sent everything up to the position. */
  live: Set<Stream>;
  members: number;
  waiting: (() => void)[];
};

export type Topics = {
  /** Follows the channel from the position on, or from where this process already is. */
  enter(channel: Channel, position: Position): Topic;
  leave(topic: Topic, stream: Stream): void;
  /** Sends the stream what lies between `from` and the topic's position, then lets it live on what is new. */
  join(options: {
    topic: Topic;
    stream: Stream;
    from: ResumePoint;
    isResumed: boolean;
    status: unknown;
  }): Promise<void>;
  /** Has the topics read again, although no notification came. */
  refresh(topics: Iterable<Topic>): void;
  all(): Iterable<Topic>;
} & Disposable;

const maxTopicsARead = 500;
const retryMs = 500;
/** After the end there is nothing to come back for soon: an EventSource that nobody closes must not poll. */
const afterTheEndMs = 60_000;

/** One LISTEN and one reader for all streams of a process: each message is read once and serialised once. */
export function createTopics(options: { pool: pg.Pool; listener: Listener; log: Logger; now: () => Date }): Topics {
  const { pool, listener, log, now } = options;
  const topics = new Map<string, Topic>();
  const stale = new Set<Topic>();
  const closing = new AbortController();
  let isPumping = false;
  let listening: Disposable[] = [];

  function listen(): void {
    if (listening.length > 0) return;
    listening = [
      listener.on(messagesChannel, hear),
      listener.on(progressChannel, hearProgress),
      listener.on(announcementsChannel, hearAnnouncement),
    ];
  }

  function hear(payload: string | undefined): void {
    if (payload === undefined) return refresh(topics.values());
    const { workspaceId, submissionId, isTerminal: concernsWorkspace } = parseNotification(payload);
    const channels = [
      submissionChannel({ submissionId, workspaceId }),
      ...(concernsWorkspace ? [workspaceChannel(workspaceId)] : []),
    ];
    refresh(channels.flatMap(({ name }) => topics.get(name) ?? []));
  }

  function hearProgress(payload: string | undefined): void {
    const progress = payload === undefined ? undefined : parseProgress(payload);
    if (!progress) return;
    const { workspaceId, ...data } = progress;
    const topic = topics.get(submissionChannel(progress).name);
    if (!topic || topic.channel.workspaceId !== workspaceId) return;
    const frame = messageFrame({ channel: topic.channel, event: "asset.progress", timestamp: now(), data });
    for (const stream of topic.live) stream.offer(frame);
  }

  function hearAnnouncement(payload: string | undefined): void {
    if (payload === undefined) return;
    const { workspaceId, event, data } = parseAnnouncement(payload);
    const topic = topics.get(workspaceChannel(workspaceId).name);
    if (!topic) return;
    const frame = messageFrame({ channel: topic.channel, event, timestamp: now(), data });
    for (const stream of topic.live) stream.offer(frame);
  }

  function refresh(changed: Iterable<Topic>): void {
    for (const topic of changed) stale.add(topic);
    if (!isPumping && stale.size > 0) void pump();
  }

  async function pump(): Promise<void> {
    isPumping = true;
    while (stale.size > 0 && !closing.signal.aborted) {
      const batch = [...stale].slice(0, maxTopicsARead);
      const waiting = batch.map((topic) => topic.waiting.splice(0));
      for (const topic of batch) stale.delete(topic);
      try {
        const news = await readNews(pool, batch);
        for (const [topic, { messages, position, hasMore }] of news) {
          tell(topic, messages, position);
          if (hasMore) stale.add(topic);
        }
        for (const resolve of waiting.flat()) resolve();
      } catch (error) {
        // PostgreSQL restarts: the streams stay open and get what they missed when it is back.
        log.warn({ err: error }, "realtime messages could not be read");
        for (const [index, topic] of batch.entries()) {
          topic.waiting.unshift(...(waiting[index] ?? []));
          stale.add(topic);
        }
        await delay(retryMs, undefined, { ref: false });
      }
    }
    isPumping = false;
  }

  function tell(topic: Topic, messages: readonly StoredMessage[], position: Position): void {
    const { channel, live, position: from } = topic;
    topic.position = position;
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1;
      const frame = storedFrame(channel, message, messageId(channel, message, { from, to: position, isLast }));
      for (const stream of live) stream.send(frame);
    }
    if (channel.kind === "submission" && isTerminal(lastStatus(messages)))
      for (const stream of live) stream.end("terminal status", reconnectAfter(afterTheEndMs));
  }

  /** A page of a stream that catches up waits for the database as long as the client waits for the page. */
  function patientReader(stream: Stream): PageReader {
    return async (query) => {
      for (;;)
        try {
          return await pool.query(query);
        } catch (error) {
          if (!databaseUnavailable(error) || stream.isOver) throw error;
          await delay(retryMs, undefined, { ref: false });
        }
    };
  }

  return {
    enter(channel, position) {
      listen();
      const topic = topics.get(channel.name) ?? { channel, position, live: new Set(), members: 0, waiting: [] };
      topic.members += 1;
      if (topic.members === 1) {
        topics.set(channel.name, topic);
        // What committed after the position was read was notified before anybody listened here.
        refresh([topic]);
      }
      return topic;
    },
    leave(topic, stream) {
      topic.live.delete(stream);
      topic.members -= 1;
      if (topic.members === 0 && topics.get(topic.channel.name) === topic) topics.delete(topic.channel.name);
    },
    async join({ topic, stream, from, isResumed, status }) {
      // The client may come from a process that is ahead of this one, and a status may be newer than the position.
      if (isResumed || isTerminal(status))
        await new Promise<void>((resolve) => {
          topic.waiting.push(resolve);
          refresh([topic]);
        });
      const { channel } = topic;
      let last = status;
      let { position, within } = from;
      // An id that was never given would silence the stream until the numbers reach it.
      if (channel.kind === "submission" && Number(position) > Number(topic.position)) position = topic.position;
      while ((within || position !== topic.position) && !stream.isOver) {
        const upTo = within?.upTo ?? topic.position;
        for await (const page of readBetween(patientReader(stream), channel, {
          position,
          upTo,
          after: within?.after,
        })) {
          for (const message of page) {
            if (!(await stream.hasRoom())) return;
            const id = messageId(channel, message, { from: position, to: upTo, isLast: false });
            stream.send(storedFrame(channel, message, id));
          }
          last = lastStatus(page) ?? last;
        }
        position = upTo;
        within = undefined;
        if (channel.kind === "workspace") stream.send(idFrame(upTo));
      }
      if (channel.kind === "submission" && isTerminal(last))
        stream.end("terminal status", reconnectAfter(afterTheEndMs));
      else if (!stream.isOver) topic.live.add(stream);
    },
    refresh,
    all: () => topics.values(),
    [Symbol.dispose]() {
      closing.abort();
      for (const registration of listening) registration[Symbol.dispose]();
    },
  };
}
