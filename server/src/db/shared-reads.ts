/** Reads one value by its key. Null where there is none. */
export type SharedReads<Key, Value> = (key: Key) => Promise<Value | null>;

type Waiting<Key, Value> = PromiseWithResolvers<Value | null> & { key: Key };

/**
 * Reads that many callers want at once. Up to `atOnce` go to the database right away; those that arrive meanwhile share
 * the next one, so that under load one round trip serves many. Nothing is cached: a value was read after it was asked for.
 */
export function shareReads<Key, Value>(options: {
  atOnce: number;
  /** Of one read. */
  maxKeys: number;
  /** One value for each key, in their order. */
  read: (keys: readonly Key[]) => Promise<readonly (Value | null)[]>;
}): SharedReads<Key, Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let running = 0;

  async function readTogether(batch: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await options.read(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function readOn(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, options.maxKeys);
      waiting = waiting.slice(options.maxKeys);
      await readTogether(batch);
    }
    running--;
  }

  return (key) => {
    const asked = { ...Promise.withResolvers<Value | null>(), key };
    waiting.push(asked);
    if (running < options.atOnce) void readOn();
    return asked.promise;
  };
}
