import pg from "pg";
import type { ConstructorOptions } from "pg-boss";
import type { Listener } from "../db/listen.ts";

type QueueDatabase = NonNullable<ConstructorOptions["db"]>;

const timesBeforePrepared = 3;
const maxPrepared = 64;

/**
 * What pg-boss runs on: a pool of its own, so that a rush of requests never starves the workers' heartbeats, and the
 * listener of the process. Statements that come again and again, as those that take and complete a job do, are parsed
 * and planned once a connection, which takes longer than running them.
 */
export function openQueueDatabase(options: {
  url: string;
  listener: Listener;
  onError: (error: Error) => void;
}): QueueDatabase & AsyncDisposable {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: 4,
    connectionTimeoutMillis: 10_000,
    // On a connection that a network dropped in silence a worker would wait for its next job for ever.
    query_timeout: 60_000,
    keepAlive: true,
    application_name: "greenlit-queue",
  });
  pool.on("error", options.onError);
  const times = new Map<string, number>();
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    // Several statements in one text cannot be prepared.
    if (known !== undefined || names.size === maxPrepared || text.includes(";")) return known;
    const count = (times.get(text) ?? 0) + 1;
    if (times.size < maxPrepared * 2) times.set(text, count);
    if (count > timesBeforePrepared) names.set(text, `queue_${names.size}`);
    return names.get(text);
  }

  return {
    async executeSql(text, values) {
      const name = nameOf(text);
      return name === undefined ? pool.query(text, values) : pool.query({ name, text, values: values ?? [] });
    },
    async listen(channel, onNotification, onReconnect) {
      const listening = options.listener.on(channel, (payload) =>
        payload === undefined ? onReconnect() : onNotification(payload),
      );
      return { close: async () => listening[Symbol.dispose]() };
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
