import type { Kysely } from "kysely";
import { PgBoss, type JobInsert, type WorkOptions } from "pg-boss";
import type { Listener } from "../db/listen.ts";
import { runPrepared } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import { openQueueDatabase } from "./queue-database.ts";
import { queues } from "./queues.ts";

/** A job that a worker has taken: a statement that ends its work can complete it too (see analysis-queue.ts). */
export type TakenJob = { queueName: string; jobId: string };

export type Queue = {
  boss: PgBoss;
  /** Puts jobs into the queue in the caller's transaction. */
  enqueue(trx: Kysely<Tables>, name: string, jobs: JobInsert[]): Promise<void>;
  /** Starts workers that take one job each at a time, and the next at once. */
  work<T>(name: string, options: { slots: number }, handler: (job: T, taken: TakenJob) => Promise<void>): Promise<void>;
  check(): Promise<void>;
} & AsyncDisposable;

export async function openQueue(options: {
  url: string;
  listener: Listener;
  onError: (error: Error) => void;
}): Promise<Queue> {
  await using stack = new AsyncDisposableStack();
  const db = stack.use(openQueueDatabase(options));
  const boss = new PgBoss({
    db,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    useListenNotify: true,
  });
  boss.on("error", options.onError);
  // Before the start: one that fails half-way has started timers, which would keep the process for ever.
  stack.defer(() => boss.stop({ graceful: true, timeout: 20_000 }));
  await boss.start();
  for (const { name, ...queue } of queues) {
    await boss.createQueue(name, queue);
    // A queue that an earlier release made keeps that release's options otherwise.
    const { policy: _policy, ...options } = queue;
    await boss.updateQueue(name, options);
  }

  const parts = stack.move();
  return {
    boss,
    async enqueue(trx, name, jobs) {
      // One text a queue: its jobs are a parameter.
      const executeSql = async (text: string, values: unknown[] = []) => ({
        rows: await runPrepared(trx, text, values),
      });
      await boss.insert(name, jobs, { db: { executeSql } });
    },
    async work<T>(name: string, { slots }: { slots: number }, handler: (job: T, taken: TakenJob) => Promise<void>) {
      const polling: WorkOptions = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };
      for (let slot = 0; slot < slots; slot++) {
        const id = await boss.work<T>(name, polling, async ([job]) => {
          try {
            if (job) await handler(job.data, { queueName: name, jobId: job.id });
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
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
