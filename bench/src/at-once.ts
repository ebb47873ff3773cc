/** Works on all items, so many at a time; begins no more once that is enough. */
export async function allAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
  enough?: AbortSignal,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const workers = Array.from({ length: atOnce }, async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      if (enough?.aborted) return;
      await work(next.value);
    }
  });
  await Promise.all(workers);
}
