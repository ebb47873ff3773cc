import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

type Callback = (payload: string | undefined) => void;

export type Listener = {
  /**
   * Calls back for every notification on the channel, and with undefined each time listening begins, at first and
   * after every reconnection: what was sent before may have been missed, so look for it.
   */
  on(channel: string, callback: Callback): Disposable;
} & AsyncDisposable;

const retryMs = 500;
/** A connection that a network dropped in silence is found dead after this time and the time of an answer. */
const heartbeatMs = 10_000;
const answerMs = 5000;

/** One connection for all LISTENs of a process; it comes back by itself when PostgreSQL restarts. */
export async function openListener(options: { url: string; onError: (error: Error) => void }): Promise<Listener> {
  const { url, onError } = options;
  const callbacks = new Map<string, Set<Callback>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  // One at a time: a client refuses a query beside another from pg 9 on.
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(asked: pg.Client, text: string): Promise<unknown> {
    const answer = turn.then(() => asked.query(text));
    turn = answer.catch(() => {});
    return answer;
  }

  function tell(channel: string, payload: string | undefined): void {
    for (const callback of callbacks.get(channel) ?? []) callback(payload);
  }

  async function listenTo(current: pg.Client, channel: string): Promise<void> {
    try {
      await inTurn(current, `listen ${channel}`);
      tell(channel, undefined);
    } catch (error) {
      // The next connection listens again; on this one the channel would stay silent.
      onError(error as Error);
      void current.end().catch(() => {});
    }
  }

  async function connect(): Promise<{ ended: Promise<void> }> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "greenlit-listen",
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    const ended = new Promise<void>((resolve) => next.once("end", () => resolve()));
    next.on("error", onError);
    next.on("notification", ({ channel, payload }) => tell(channel, payload ?? ""));
    // What is asked of a dead connection must not hold this one up.
    turn = Promise.resolve();
    try {
      await next.connect();
      // From here on a new channel listens by itself; the loop sees those that came before.
      client = next;
      for (const channel of callbacks.keys()) await inTurn(next, `listen ${channel}`);
      closing.signal.throwIfAborted();
    } catch (error) {
      client = undefined;
      void next.end().catch(() => {});
      throw error;
    }
    for (const channel of callbacks.keys()) tell(channel, undefined);
    return { ended };
  }

  async function keepConnected(connection: { ended: Promise<void> }): Promise<void> {
    for (let current = connection; ;) {
      await current.ended;
      client = undefined;
      const next = await reconnect();
      if (!next) return;
      current = next;
    }
  }

  async function reconnect(): Promise<{ ended: Promise<void> } | undefined> {
    while (!closing.signal.aborted) {
      try {
        await delay(retryMs, undefined, { signal: closing.signal, ref: false });
        return await connect();
      } catch (error) {
        if (!closing.signal.aborted) onError(error as Error);
      }
    }
    return undefined;
  }

  const heartbeat = setInterval(() => {
    const asked = client;
    if (asked) inTurn(asked, "select 1").catch(() => asked.end().catch(() => {}));
  }, heartbeatMs);
  heartbeat.unref();

  const connected = await connect().catch((error: unknown) => {
    clearInterval(heartbeat);
    throw error;
  });
  const running = keepConnected(connected);
  return {
    on(channel, callback) {
      const set = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, set);
      set.add(callback);
      if (client) void listenTo(client, channel);
      return { [Symbol.dispose]: () => void set.delete(callback) };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat);
      closing.abort();
      await client?.end();
      await running;
    },
  };
}
