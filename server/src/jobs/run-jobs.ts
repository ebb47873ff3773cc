import type { App } from "../app.ts";
import type { Queue } from "../queue/queue.ts";
import { housekeeping } from "./housekeeping.ts";

/** Job name → handler. */
const handlers = { housekeeping } satisfies Record<string, (app: App) => Promise<void>>;

export async function runJobs(app: App, { boss }: Queue): Promise<void> {
  for (const [name, handler] of Object.entries(handlers)) {
    await boss.createQueue(name, { policy: "singleton", retryLimit: 0, expireInSeconds: 300 });
    await boss.work(name, async () => handler(app));
  }
  await boss.schedule("housekeeping", "* * * * *");
}
