import type pg from "pg";
import type { Logger } from "pino";
import type { Listener } from "../db/listen.ts";
import { Failure } from "../failure.ts";
import { sessionHolder, sessionOf } from "./holder.ts";
import { keepAlive } from "./message.ts";
import { createStream, type Stream } from "./stream.ts";
import { createTopics, type Topic, type Topics } from "./topics.ts";

/** All open streams of a process. */
export type Hub = {
  topics: Topics;
  /** A stream for a key or a session, or a failure when it has too many. */
  admit(holder: string): Stream;
  readonly openStreams: number;
  /** Ends all streams at once and takes no more: their clients resume on another process. */
  close(): void;
} & Disposable;

const beatMs = 15_000;
/** A revoked key's streams end within this time, as do those of a deleted submission. */
const recheckMs = 2000;
const patienceAtCloseMs = 1000;
const retryAfterSeconds = 10;

export function createHub(options: {
  pool: pg.Pool;
  listener: Listener;
  log: Logger;
  now: () => Date;
  streamsPerKey: number;
  /** Tests do not wait 15 seconds. */
  beatMs?: number;
}): Hub {
  const { pool, log, now, streamsPerKey } = options;
  const topics = createTopics(options);
  const streamsByKey = new Map<string, Set<Stream>>();
  let isClosing = false;
  let isRechecking = false;

  const allStreams = () => [...streamsByKey.values()].flatMap((streams) => [...streams]);

  const beating = setInterval(() => {
    for (const stream of allStreams()) stream.beat(keepAlive);
  }, options.beatMs ?? beatMs).unref();

  const rechecking = setInterval(() => {
    if (isRechecking || streamsByKey.size === 0) return;
    isRechecking = true;
    recheck()
      .catch((error: unknown) => log.warn({ err: error }, "realtime streams could not be checked"))
      .finally(() => {
        isRechecking = false;
      });
  }, recheckMs).unref();

  /** Also reads again what fell behind: a lost notification costs seconds, never a message. */
  async function recheck(): Promise<void> {
    const holders = [...streamsByKey.keys()];
    const valid = await readValidHolders(pool, { holders, now: now() });
    for (const holder of holders.filter((id) => !valid.has(id)))
      for (const stream of streamsByKey.get(holder) ?? [])
        stream.end(sessionOf(holder) === undefined ? "key revoked" : "session ended");

    const followed = [...topics.all()];
    const numbers = await readNumbers(pool, followed);
    const behind = followed.filter(({ channel, position }) => {
      const number = channel.kind === "submission" ? numbers.get(channel.submissionId) : undefined;
      return channel.kind === "workspace" || (number !== undefined && number > Number(position));
    });
    topics.refresh(behind);
    for (const { channel, live } of followed)
      if (channel.kind === "submission" && !numbers.has(channel.submissionId))
        for (const stream of live) stream.end("submission deleted");
  }

  function close(): void {
    isClosing = true;
    clearInterval(beating);
    clearInterval(rechecking);
    const streams = allStreams();
    for (const stream of streams) stream.end("service stops");
    // One that does not read would hold up the stop.
    setTimeout(() => {
      for (const stream of streams) stream.drop("service stops");
    }, patienceAtCloseMs).unref();
  }

  return {
    topics,
    admit(holder) {
      if (isClosing) throw new Failure("unavailable", "The service is stopping. Connect again in a moment.");
      const streams = streamsByKey.get(holder) ?? new Set();
      if (streams.size >= streamsPerKey)
        throw new Failure(
          "rate_limited",
          `This key has ${streamsPerKey} open streams, the most it may have. Close some, or try again in ${retryAfterSeconds} s.`,
          { retryAfterSeconds },
        );
      const stream = createStream();
      streamsByKey.set(holder, streams.add(stream));
      stream.readable.once("close", () => {
        streams.delete(stream);
        if (streams.size === 0 && streamsByKey.get(holder) === streams) streamsByKey.delete(holder);
      });
      return stream;
    },
    get openStreams() {
      return allStreams().length;
    },
    close,
    [Symbol.dispose]() {
      close();
      topics[Symbol.dispose]();
    },
  };
}

/** Those whose key is valid, or whose session lives and whose person is still in the workspace. */
async function readValidHolders(
  pool: pg.Pool,
  { holders, now }: { holders: string[]; now: Date },
): Promise<Set<string>> {
  const keyIds = holders.filter((holder) => sessionOf(holder) === undefined);
  const sessionIds = holders.flatMap((holder) => sessionOf(holder) ?? []);
  const keys = await pool.query<{ key_id: string }>(
    `select key_id from api_keys where key_id = any($1::uuid[])
      and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [keyIds, now],
  );
  if (sessionIds.length === 0) return new Set(keys.rows.map(({ key_id: keyId }) => keyId));
  const sessions = await pool.query<{ session_id: string; workspace_id: string }>(
    `select session_id, m.workspace_id from sessions join people p using (person_id) join memberships m using (person_id)
      where session_id = any($1::uuid[]) and p.disabled_at is null and expires_at > $2`,
    [sessionIds, now],
  );
  return new Set([
    ...keys.rows.map(({ key_id: keyId }) => keyId),
    ...sessions.rows.map((row) => sessionHolder({ sessionId: row.session_id, workspaceId: row.workspace_id })),
  ]);
}

/** The last number of every submission that is followed and still there. */
async function readNumbers(pool: pg.Pool, followed: readonly Topic[]): Promise<Map<string, number>> {
  const submissions = followed.flatMap(({ channel }) => (channel.kind === "submission" ? [channel] : []));
  if (submissions.length === 0) return new Map();
  const { rows } = await pool.query<{ submission_id: string; event_number: number }>(
    `select submission_id, event_number from submissions
      join unnest($1::uuid[], $2::text[]) as t (submission_id, workspace_id) using (submission_id, workspace_id)`,
    [submissions.map(({ submissionId }) => submissionId), submissions.map(({ workspaceId }) => workspaceId)],
  );
  return new Map(rows.map((row) => [row.submission_id, row.event_number]));
}
