import { PgBoss } from "pg-boss";

export type Queue = { boss: PgBoss; check(): Promise<void> } & AsyncDisposable;

/** pg-boss on a pool of its own, so that a rush of requests never starves the workers' heartbeats. */
export async function openQueue(options: { url: string; onError: (error: Error) => void }): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: "greenlit-queue",
    max: 4,
    superviseIntervalSeconds: 5,
  });
  boss.on("error", options.onError);
  await boss.start();
  return {
    boss,
    async check() {
      await boss.getQueues();
    },
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}
