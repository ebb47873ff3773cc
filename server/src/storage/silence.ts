import { StoreError } from "./store.ts";

/** After this a store that says nothing is out of reach. */
export const silenceLimitMs = 15_000;

export type Watched = { signal: AbortSignal; heard: () => void };

/** Ends an operation that hears nothing for so long, for an SDK that would wait until the system gives a connection up. */
export async function unlessSilent<T>(
  limitMs: number,
  run: (watched: Watched) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const silence = new AbortController();
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // Not every operation listens to the signal.
    silent.reject(new StoreError("unavailable", "The object store did not answer in time."));
    silence.abort();
  }, limitMs);
  try {
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    return await Promise.race([run({ signal: either, heard: () => void timer.refresh() }), silent.promise]);
  } finally {
    clearTimeout(timer);
  }
}
