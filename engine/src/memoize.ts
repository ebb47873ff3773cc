/** Made when it is first needed; objects of Intl for one cannot be part of a snapshot of our code. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Remembers results, at most `maxEntries` of them: a service that runs for months must not grow with what it reads. */
export function memoize<Source, Value>(
  maxEntries: number,
  workOut: (source: Source) => Value,
  keyOf: (source: Source) => unknown = (source) => source,
): (source: Source) => Value {
  const known = new Map<unknown, Value>();
  return (source) => {
    const key = keyOf(source);
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = workOut(source);
    if (known.size >= maxEntries) known.clear();
    known.set(key, value);
    return value;
  };
}
