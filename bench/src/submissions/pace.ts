/** How fast things come, from the tenth to the last of so many: the first find everything cold. */
export function createPace(count: number): { count(): void; perSecond: Promise<number> } {
  const first = 10;
  const { promise, resolve } = Promise.withResolvers<number>();
  let counted = 0;
  let startedAt = 0;
  return {
    count() {
      counted++;
      if (counted === first) startedAt = performance.now();
      if (counted === count) resolve(((count - first) * 1000) / (performance.now() - startedAt));
    },
    perSecond: promise,
  };
}
