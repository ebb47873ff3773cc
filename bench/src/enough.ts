let current: AbortController | undefined;

/** Aborted when a long run should end with the figures it has: after so many minutes, or at the first Ctrl-C. */
export function openEnough(minutes: string | undefined): AbortSignal {
  current = new AbortController();
  if (minutes !== undefined) setTimeout(sayEnough, Number(minutes) * 60_000).unref();
  return current.signal;
}

/** False when nobody can end earlier, or was asked to before. */
export function sayEnough(): boolean {
  if (!current || current.signal.aborted) return false;
  current.abort();
  return true;
}
