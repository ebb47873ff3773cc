import { promisify } from "node:util";

/** Taken before any test mocks the timers. */
const delay = promisify(setTimeout);

/** Waits until a condition holds. Only what never happens takes all the time there is: a busy machine fails no test. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { patienceSeconds = 180, everyMs = 10 } = {},
): Promise<void> {
  for (const deadline = performance.now() + patienceSeconds * 1000; !(await condition()); await delay(everyMs))
    if (performance.now() > deadline)
      throw new Error(`Still not true after ${patienceSeconds} s: ${condition.toString()}`);
}
