import { PgBoss, type Queue as QueueOptions, type WorkOptions } from "pg-boss";
import { analysisQueues, lostQueue } from "./analysis-queue.ts";
import { simulationQueue } from "./simulation-queue.ts";

export type Queue = {
  boss: PgBoss;
  /** Starts workers that take one job each at a time, and the next at once. */
  work<T>(name: string, options: { slots: number }, handler: (job: T) => Promise<void>): Promise<void>;
  check(): Promise<void>;
} & AsyncDisposable;

export const housekeepingQueue = "housekeeping";

/** A dead worker's job is taken over after ten seconds without a heartbeat, up to ten times. */
const takenOver: Omit<QueueOptions, "name"> = {
  retryLimit: 10,
  // A worker that stops hands its job back, and another has it a second later; trouble that stays is met more and more slowly.
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  heartbeatSeconds: 10,
  expireInSeconds: 86_399,
  notify: true,
};

const queues: QueueOptions[] = [
  { name: lostQueue, ...takenOver },
  ...Object.values(analysisQueues).map((name) => ({ name, ...takenOver, deadLetter: lostQueue })),
  { name: simulationQueue, ...takenOver },
  { name: housekeepingQueue, policy: "singleton", retryLimit: 0, expireInSeconds: 3600 },
];

/** pg-boss on a pool of its own, so that a rush of requests never starves the workers' heartbeats. */
export async function openQueue(options: { url: string; onError: (error: Error) => void }): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: "greenlit-queue",
    max: 4,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    useListenNotify: true,
  });
  boss.on("error", options.onError);
  await boss.start();
  for (const { name, ...queue } of queues) await boss.createQueue(name, queue);

  return {
    boss,
    async work<T>(name: string, { slots }: { slots: number }, handler: (job: T) => Promise<void>) {
      const polling: WorkOptions = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };
      for (let slot = 0; slot < slots; slot++) {
        const id = await boss.work<T>(name, polling, async ([job]) => {
          try {
            if (job) await handler(job.data);
          } finally {
            // Otherwise a worker sleeps a whole polling interval after each job.
            setImmediate(() => boss.notifyWorker(id));
          }
        });
      }
    },
    async check() {
      await boss.getQueues();
    },
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}
