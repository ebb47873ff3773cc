import pg from "pg";
import { PgBoss } from "pg-boss";
import { servePart } from "../part.ts";
import { createPace } from "./pace.ts";

export type BareWorker = {
  argument: { databaseUrl: string; slots: number; commits: number };
  ready: null;
  commands: {
    fill(count: number): Promise<void>;
    /** Gives the jobs a second once so many were done. Once in a process. */
    work(count: number): Promise<number>;
  };
};

const queue = "bare";

/** The limit of working jobs off: pg-boss as it comes, and so many commits of one small row between taking a job and completing it. */
servePart<BareWorker>(async ({ databaseUrl, slots, commits }, stack) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  stack.defer(() => pool.end());
  await pool.query("create table if not exists bare_rows (slot integer primary key, hits integer not null)");
  const boss = new PgBoss({ connectionString: databaseUrl, max: 4, useListenNotify: true });
  boss.on("error", (error) => process.stderr.write(`bare pg-boss: ${error.message}\n`));
  await boss.start();
  stack.defer(() => boss.stop({ graceful: false }));
  await boss.createQueue(queue, { notify: true, heartbeatSeconds: 10 });
  for (let slot = 0; slot < slots; slot++)
    await pool.query("insert into bare_rows values ($1, 0) on conflict do nothing", [slot]);

  return {
    ready: null,
    commands: {
      async fill(count) {
        for (let done = 0; done < count; done += 20_000)
          await boss.insert(
            queue,
            Array.from({ length: Math.min(20_000, count - done) }, (_, index) => ({ data: { number: done + index } })),
          );
      },
      async work(count) {
        const pace = createPace(count);
        for (let slot = 0; slot < slots; slot++) {
          const id = await boss.work(queue, { pollingIntervalSeconds: 1 }, async () => {
            pace.count();
            for (let commit = 0; commit < commits; commit++)
              await pool.query({
                name: "hit",
                text: "update bare_rows set hits = hits + 1 where slot = $1",
                values: [slot],
              });
            // Otherwise a worker sleeps a whole polling interval after each job.
            setImmediate(() => boss.notifyWorker(id));
          });
        }
        return pace.perSecond;
      },
    },
  };
});
