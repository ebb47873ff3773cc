import type { App } from "../app.ts";
import { sweepRateSlots } from "../workspaces/rate-limit.ts";

/** Once a minute, on one process of the deployment. */
export async function housekeeping(app: App): Promise<void> {
  await sweepRateSlots(app.pool);
}
