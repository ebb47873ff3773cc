import { isStoreError } from "./storage/store.ts";

const timeoutMs = 1500;

/** Asks every part at once; a part that does not answer in time is not ready. What exactly is wrong stays in the log. */
export async function checkReadiness(checks: Record<string, () => Promise<unknown>>): Promise<Record<string, string>> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const late = new Promise<string>((resolve) => void setTimeout(resolve, timeoutMs, "no answer in time").unref());
      const state = check().then(
        () => "ok",
        (error: unknown) => (isStoreError(error, "disk_full") ? "disk full" : "out of reach"),
      );
      return [name, await Promise.race([state, late])];
    }),
  );
  return Object.fromEntries(states) as Record<string, string>;
}
