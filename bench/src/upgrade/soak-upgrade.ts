import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { freePort } from "@greenlit/server/testing/free-port.ts";
import { compareStore, judgeAcknowledged } from "../faults/acknowledged.ts";
import { keepRunning } from "../faults/greenlit-process.ts";
import { startMixedLoad } from "../faults/mixed-load.ts";
import { createRandom } from "../fuzz/random.ts";
import { atMost, say, type Bench } from "../report.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import { checkOutEarlier, type EarlierRelease } from "./earlier-release.ts";

export const soakUpgrade: Bench = {
  about: "An earlier release and this one side by side on one database, under load (--from COMMIT --seconds 60).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { seed: { type: "string" }, from: { type: "string" }, seconds: { type: "string" } },
    });
    const seed = Number(values.seed ?? 1);
    const seconds = Number(values.seconds ?? 60);
    const folder = await openScratchFolder(stack);
    const earlier = await checkOutEarlier(stack, { folder, ref: values.from ?? "HEAD~60" });
    const databaseUrl = await startScratchPostgres(stack, folder);
    const dataFolder = join(folder, "data");
    const ports = [await freePort(), await freePort()] as const;
    const settings = (name: string, port: number) => ({
      DATABASE_URL: databaseUrl,
      GREENLIT_PORT: String(port),
      GREENLIT_STORE_PORT: "0",
      GREENLIT_DATA_DIR: dataFolder,
      GREENLIT_STORE_SHARED: "true",
      GREENLIT_SECRET_KEY: "0123456789abcdef".repeat(4),
      GREENLIT_ALLOW_NO_JAIL: "true",
      GREENLIT_RENDITIONS: "false",
      GREENLIT_WORKER_SLOTS: "1",
      GREENLIT_LOG: join(folder, `${name}.log`),
    });
    const start = async (role: "api" | "worker", port: number, release?: EarlierRelease) => {
      const name = `${release ? "earlier" : "new"}-${role}`;
      const started = await keepRunning({
        name,
        role,
        env: settings(name, port),
        repository: release?.repository ?? "",
      });
      stack.defer(() => started.stop());
      return started;
    };
    const load = async (apiUrls: string[], key: string) =>
      startMixedLoad({ apiUrls, key, random: createRandom(seed), pauseMs: 500 });
    const [oldUrl, newUrl] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string];

    say(`${earlier.commit} alone`);
    const old = [await start("api", ports[0], earlier), await start("worker", 0, earlier)];
    const env = settings("command", 0);
    await earlier.greenlit(env, "workspaces", "create", "--name", "soak", "--plan", "local");
    const { key } = await earlier.greenlit(env, "keys", "create", "--workspace", "soak", "--mode", "live");
    const before = await load([oldUrl], String(key));
    await wait(seconds / 6);

    say("this release comes up beside it, and brings the database up to date");
    const current = [await start("api", ports[1]), await start("worker", 0)];
    await before.stop();
    const beside = await load([oldUrl, newUrl], String(key));
    await wait(seconds);
    await beside.stop();

    say(`${earlier.commit} ends`);
    for (const each of old) await each.stop();
    const after = await load([newUrl], String(key));
    await wait(seconds / 6);
    await after.stop();

    const { pool } = stack.use(openDatabase({ url: databaseUrl, poolSize: 2, onError: () => {} }));
    const phases = { before, beside, after };
    const all = Object.values(phases);
    const bars = await judgeAcknowledged({
      pool,
      load: { ...after, acknowledged: all.flatMap(({ acknowledged }) => acknowledged), wrong: [] },
      stop: () => Promise.all(current.map((each) => each.stop())),
      compare: () => compareStore(databaseUrl, dataFolder),
    });
    const failed = all.flatMap(({ statuses }) =>
      Object.entries(statuses).filter(([status]) => !status.startsWith("2")),
    );
    for (const problem of all.flatMap(({ wrong }) => wrong).slice(0, 20)) say(problem);
    return {
      bars: [
        ...bars,
        atMost(
          "requests that failed",
          failed.reduce((sum, [, count]) => sum + count, 0),
          0,
        ),
      ],
      figures: {
        seed,
        from: earlier.commit,
        besideSeconds: seconds,
        submissions: Object.fromEntries(Object.entries(phases).map(([name, each]) => [name, each.acknowledged.length])),
        statuses: Object.fromEntries(Object.entries(phases).map(([name, each]) => [name, each.statuses])),
      },
    };
  },
};

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
