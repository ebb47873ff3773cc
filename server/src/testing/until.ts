import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** Waits for a condition that comes true by itself. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = 5000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, "the condition did not come true in time");
    await delay(5);
  }
}
