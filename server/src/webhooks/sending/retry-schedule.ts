/** After the first attempt, which is made at once. */
export const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

const jitter = 0.1;
const longestRetryAfterSeconds = 24 * 3600;

/**
 * When to try again after `failures` failed attempts of one schedule; null when it is used up. Never sooner than the
 * schedule says, also when the receiver asks for less: eight attempts a second apart would be used up in no time.
 */
export function nextAttempt(options: {
  failures: number;
  now: Date;
  retryAfterSeconds?: number | undefined;
  random?: () => number;
}): Date | null {
  const { failures, now, retryAfterSeconds = 0, random = Math.random } = options;
  const delay = retryDelaysSeconds[failures - 1];
  if (delay === undefined) return null;
  // Spread, so that what failed together does not come back together.
  const spread = delay * (1 + jitter * random());
  return new Date(now.getTime() + Math.max(spread, retryAfterSeconds) * 1000);
}

/** Seconds or an HTTP date, bounded by a day; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  const seconds = /^\d{1,12}$/.test(text)
    ? Number(text)
    : /^[A-Za-z]{3},? /.test(text)
      ? (Date.parse(text) - now.getTime()) / 1000
      : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}
