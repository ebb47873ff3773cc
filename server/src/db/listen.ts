import pg from "pg";

export type Listener = {
  /** Calls back for every notification on the channel, and once after every reconnection, when some may have been missed. */
  on(channel: string, callback: (payload: string | undefined) => void): Disposable;
} & AsyncDisposable;

const retryMs = 500;

/** One connection for all LISTENs of a process; it comes back by itself when PostgreSQL restarts. */
export async function openListener(options: { url: string; onError: (error: Error) => void }): Promise<Listener> {
  const callbacks = new Map<string, Set<(payload: string | undefined) => void>>();
  let client: pg.Client | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: options.url, application_name: "greenlit-listen", keepAlive: true });
    next.on("notification", ({ channel, payload }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload ?? "");
    });
    next.on("error", options.onError);
    next.on("end", () => {
      client = undefined;
      if (!isClosed) setTimeout(() => void reconnect(), retryMs).unref();
    });
    await next.connect();
    client = next;
    for (const channel of callbacks.keys()) await next.query(`listen ${channel}`);
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
      for (const set of callbacks.values()) for (const callback of set) callback(undefined);
    } catch (error) {
      options.onError(error as Error);
      if (!isClosed) setTimeout(() => void reconnect(), retryMs).unref();
    }
  }

  await connect();
  return {
    on(channel, callback) {
      const set = callbacks.get(channel) ?? new Set();
      if (set.size === 0) {
        callbacks.set(channel, set);
        client?.query(`listen ${channel}`).catch(options.onError);
      }
      set.add(callback);
      return { [Symbol.dispose]: () => void set.delete(callback) };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await client?.end();
    },
  };
}
