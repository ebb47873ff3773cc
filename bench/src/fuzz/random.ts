export type Random = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True in so many of 100 cases. */
  percent(share: number): boolean;
  pick<T>(from: readonly T[]): T;
};

/** The same numbers for the same seed, on every machine (mulberry32). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    percent: (share) => next() * 100 < share,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
  };
}
