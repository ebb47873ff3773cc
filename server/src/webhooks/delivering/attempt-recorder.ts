import { setTimeout } from "node:timers/promises";
import type { App } from "../../app.ts";
import { databaseUnavailable } from "../../db/database.ts";
import { recordAttempts, type Made } from "./record-attempts.ts";

export type AttemptRecorder = {
  add(made: Made): void;
  /** Resolves when everything that was added is recorded, or given up because the service stops. */
  stop(): Promise<void>;
};

const batchSize = 500;
const retryMs = 500;
const triesWhileStopping = 3;

/** Whatever ends while a batch is being written becomes the next one. */
export function createAttemptRecorder(app: App): AttemptRecorder {
  let waiting: Made[] = [];
  let writing: Promise<void> | undefined;
  let triesLeft = Number.POSITIVE_INFINITY;

  async function write(): Promise<void> {
    while (waiting.length > 0 && triesLeft > 0) {
      const batch = waiting.slice(0, batchSize);
      try {
        await recordAttempts(app, batch);
      } catch (error) {
        // Without a record the lease runs out and the event is sent again, with the same webhook-id.
        app.log.warn({ err: error, attempts: batch.length }, "webhook attempts not recorded yet");
        triesLeft--;
        await setTimeout(retryMs);
        if (databaseUnavailable(error)) continue;
        await recordOneByOne(batch);
      }
      waiting = waiting.slice(batch.length);
    }
    writing = undefined;
  }

  /** One that cannot be stored must not keep the others from it: all of them would be sent again and again. */
  async function recordOneByOne(batch: readonly Made[]): Promise<void> {
    for (const made of batch)
      await recordAttempts(app, [made]).catch((error: unknown) =>
        app.log.error({ err: error, deliveryId: made.claimed.deliveryId }, "webhook attempt not recorded"),
      );
  }

  return {
    add(made) {
      waiting.push(made);
      writing ??= write();
    },
    async stop() {
      triesLeft = triesWhileStopping;
      await writing;
    },
  };
}
