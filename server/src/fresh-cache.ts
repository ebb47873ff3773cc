/** Values by key that are read again when they are older than `freshMs`. */
export type FreshCache<Source, Value> = {
  get(key: string, source: Source): Promise<Value>;
  /** The next `get` of every key reads again. */
  clear(): void;
};

const maxEntries = 10_000;

/**
 * Requests that arrive while a value is being read share that read. Nothing is kept of a read that failed or that found
 * nothing: a made-up key must not push out those in use.
 */
export function createFreshCache<Source, Value>(options: {
  freshMs: number;
  read: (source: Source) => Promise<Value>;
}): FreshCache<Source, Value> {
  const { freshMs, read } = options;
  const entries = new Map<string, { value: Promise<Value>; readAt: number }>();

  return {
    get(key, source) {
      const known = entries.get(key);
      if (known && performance.now() - known.readAt < freshMs) return known.value;
      const entry = { value: read(source), readAt: performance.now() };
      // Removed first, so that the oldest entry stays the first of the map.
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value ?? "");
      const drop = () => void (entries.get(key) === entry && entries.delete(key));
      entry.value.then((value) => value === undefined && drop(), drop);
      return entry.value;
    },
    clear: () => entries.clear(),
  };
}
