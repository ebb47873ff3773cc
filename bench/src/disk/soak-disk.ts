import { join } from "node:path";
import { parseArgs } from "node:util";
import { until } from "@greenlit/engine/testing/until.ts";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { findRunningPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import { freePort } from "@greenlit/server/testing/free-port.ts";
import { createKey } from "@greenlit/server/workspaces/manage-keys.ts";
import { compareStore, judgeAcknowledged } from "../faults/acknowledged.ts";
import { endHard, keepRunning, processesIn, type GreenlitProcess } from "../faults/greenlit-process.ts";
import { startMixedLoad, type MixedLoad } from "../faults/mixed-load.ts";
import { openEnough } from "../enough.ts";
import { createRandom, type Random } from "../fuzz/random.ts";
import { atMost, rounded, say, type Bench } from "../report.ts";
import { openScratchFolder } from "../scratch.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const recoveryLimitSeconds = 120;

export const soakDisk: Bench = {
  about:
    "The whole service on a disk that becomes full, slow and read-only, under load (--rounds 10 --seconds 30 --minutes N).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: {
        seed: { type: "string" },
        rounds: { type: "string" },
        seconds: { type: "string" },
        minutes: { type: "string" },
      },
    });
    const seed = Number(values.seed ?? 1);
    const rounds = Number(values.rounds ?? 10);
    const seconds = Number(values.seconds ?? 30);
    const random = createRandom(seed);
    const folder = await openScratchFolder(stack);
    const disk = await mountSmallDisk(stack, { folder, megabytes: 512 });
    if ("reason" in disk) {
      say(`skipped: ${disk.reason}`);
      return { bars: [], figures: { seed, skipped: disk.reason } };
    }

    const port = await freePort();
    const dataFolder = join(disk.path, "data");
    const service = await keepRunning({
      name: "greenlit",
      role: "all",
      isQuiet: true,
      env: {
        GREENLIT_PORT: String(port),
        GREENLIT_STORE_PORT: String(await freePort()),
        GREENLIT_DATA_DIR: dataFolder,
        GREENLIT_ALLOW_NO_JAIL: "true",
        GREENLIT_RENDITIONS: "false",
        GREENLIT_WORKER_SLOTS: "2",
      },
    });
    stack.defer(() => service.stop());
    const apiUrl = `http://127.0.0.1:${port}`;
    const key = await makeKey(dataFolder);
    const load = await startMixedLoad({ apiUrls: [apiUrl], key, random: createRandom(seed + 1), pauseMs: 500 });
    const recoveries: Record<string, number[]> = { full: [], slow: [], "read-only": [] };
    const enough = openEnough(values.minutes);
    let round = 0;
    for (; round < rounds && !enough.aborted; round += 1)
      for (const [what, trouble] of Object.entries({ full: fillUp, slow: slowDown, "read-only": turnReadOnly })) {
        await served(load, 3);
        say(`${what}: ${seconds} s, after ${load.acknowledged.length} submissions, ${service.starts()} starts`);
        await trouble({ disk, service, random, seconds });
        recoveries[what]?.push(rounded(await served(load, 1)));
      }
    await load.stop();

    await until(() => service.isUp());
    const { url } = (await findRunningPostgres(dataFolder)) ?? { url: "" };
    const { pool } = stack.use(openDatabase({ url, poolSize: 2, onError: () => {} }));
    const bars = await judgeAcknowledged({
      pool,
      load,
      stop: async () => {},
      compare: () => compareStore(url, dataFolder),
    });
    await pool.end();
    await service.stop();
    return {
      bars: [
        ...bars,
        atMost(
          "seconds until a submission was taken again",
          Math.max(...Object.values(recoveries).flat()),
          recoveryLimitSeconds,
        ),
      ],
      figures: {
        seed,
        rounds: round,
        troubleSeconds: seconds,
        submissions: load.acknowledged.length,
        statuses: load.statuses,
        starts: service.starts(),
        recoveries,
        slowestSeconds: Math.round(load.slowestSeconds()),
      },
    };
  },
};

type Trouble = { disk: SmallDisk; service: GreenlitProcess; random: Random; seconds: number };

async function fillUp({ disk, random, seconds }: Trouble): Promise<void> {
  const end = performance.now() + seconds * 1000;
  // Others go on writing to a disk that is nearly full: what was freed is gone a moment later.
  while (performance.now() < end) {
    await disk.takeRoom({ leaveBytes: random.below(2) * random.below(512 * 1024) });
    await askForLog(join(disk.path, "data"));
    await wait(Math.min(2000, Math.max(0, end - performance.now())));
  }
  await disk.giveRoom();
}

/** PostgreSQL writes into room that it has taken long before: hours pass until it needs more, unless it is told to. */
async function askForLog(dataFolder: string): Promise<void> {
  try {
    const { url } = (await findRunningPostgres(dataFolder)) ?? { url: "" };
    await using database = openDatabase({ url, poolSize: 1, onError: () => {}, connectionWaitMs: 2000 });
    await database.pool.query("select pg_logical_emit_message(true, 'soak', repeat('x', 1000000)), pg_switch_wal()");
  } catch {
    // It has none, which is what we want to see the service survive.
  }
}

async function slowDown({ disk, random, seconds }: Trouble): Promise<void> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    await disk.freeze();
    await wait(Math.min(200 + random.below(6000), Math.max(0, end - performance.now())));
    await disk.thaw();
    await wait(100 + random.below(900));
  }
}

/** What was written and not synced is lost with the disk; what was acknowledged must not be. */
async function turnReadOnly({ disk, service, seconds }: Trouble): Promise<void> {
  await disk.becomeReadOnly();
  await wait(seconds * 1000);
  // As a restart of the machine does it: PostgreSQL cannot write what it wants to write before it ends.
  await service.pause();
  for (const pid of await processesIn(join(disk.path, "data", "postgres"))) endHard(pid);
  await disk.repair();
  service.resume();
  await until(() => service.isUp());
}

async function makeKey(dataFolder: string): Promise<string> {
  const { url } = (await findRunningPostgres(dataFolder)) ?? { url: "" };
  await using database = openDatabase({ url, poolSize: 1, onError: () => {} });
  return (await createKey(database.db, { workspace: "default", mode: "live" })).key;
}

/** How long it takes until so many more submissions are acknowledged. */
async function served(load: MixedLoad, count: number): Promise<number> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const wanted = load.acknowledged.length + count;
  while (load.acknowledged.length < wanted && elapsed() < 10 * 60) await wait(100);
  return elapsed();
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
