/** Every number in the value to that many decimals: the rest is noise that would be stored and sent. */
export function roundedTo<T>(decimals: number, value: T): T {
  const scale = 10 ** decimals;
  return mapped(value, (leaf) => (typeof leaf === "number" ? Math.round(leaf * scale) / scale : leaf)) as T;
}

/** A database refuses the whole result for one of these: NUL and half a surrogate pair in text, and NaN or Infinity. */
export function storable<T>(value: T): T {
  return mapped(value, (leaf) => {
    if (typeof leaf === "string") return leaf.toWellFormed().replaceAll("\0", "");
    return typeof leaf === "number" && !Number.isFinite(leaf) ? null : leaf;
  }) as T;
}

/** One value for every so many; the last may stand for fewer. */
export function thinned<T>(values: readonly T[], every: number, merge: (group: T[]) => T): T[] {
  if (every <= 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / every) }, (_, index) =>
    merge(values.slice(index * every, (index + 1) * every)),
  );
}

function mapped(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change)]));
}
