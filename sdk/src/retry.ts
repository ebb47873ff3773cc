import { ApiError, ConnectionError, GreenlitError, TimeoutError, UploadError } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const firstDelayMs = 500;
const maxDelayMs = 8000;
/** A longer wait is the caller's to decide. */
const maxRetryAfterSeconds = 90;

/** Tries again while `isWorthRetrying` says so, after what the service asks for or a growing, random delay. */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  options: { maxRetries: number; signal?: AbortSignal | undefined; isWorthRetrying: (error: unknown) => boolean },
): Promise<T> {
  const { maxRetries, signal, isWorthRetrying } = options;
  for (let number = 0; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      signal?.throwIfAborted();
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
      if (number >= maxRetries || !isWorthRetrying(error) || asked > maxRetryAfterSeconds) throw error;
      await pause(Math.max(asked * 1000, backoffMs(number)), signal);
    }
  }
}

/** Half of it is random, so that clients that failed together do not come back together. */
export function backoffMs(number: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** number) * (0.5 + Math.random() / 2);
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Trouble that passes by itself: no answer, too many requests, a service or store that is down. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError || error instanceof UploadError)) return false;
  return [408, 429, 500, 502, 503, 504].includes(error.status);
}

/** One request, and what `read` makes of the answer. Getting no whole answer is a ConnectionError that names the host. */
export async function exchange<T>(options: {
  fetch: Fetch;
  url: string;
  init: Omit<RequestInit, "signal">;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  read: (response: Response) => T | Promise<T>;
}): Promise<T> {
  const { fetch, url, init, timeoutMs, signal, read } = options;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  try {
    return await read(await fetch(url, { ...init, signal: stop.signal }));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof GreenlitError) throw error;
    const { host } = new URL(url);
    if (isLate) throw new TimeoutError(`${host} did not answer in ${timeoutMs / 1000} s.`);
    throw new ConnectionError(`${host} cannot be reached: ${reasonOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
