import type { App } from "../../app.ts";
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
        waiting = waiting.slice(batch.length);
      } catch (error) {
        // Without a record the lease runs out and the event is sent again, with the same webhook-id.
        app.log.warn({ err: error, attempts: batch.length }, "webhook attempts not recorded yet");
        triesLeft--;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    writing = undefined;
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
