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
