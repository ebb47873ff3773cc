import { parseArgs } from "node:util";
import { compareStore, judgeAcknowledged } from "../faults/acknowledged.ts";
import { startDeployment } from "../faults/deployment.ts";
import { startMixedLoad } from "../faults/mixed-load.ts";
import { startRemoteStore } from "../faults/remote-store.ts";
import { createRandom } from "../fuzz/random.ts";
import { atMost, rounded, say, type Bench } from "../report.ts";
import { openCutProxy, type Cut, type CutProxy } from "@greenlit/server/testing/cut-proxy.ts";

const recoveryLimitSeconds = 60;

export const soakNet: Bench = {
  about: "The database and the store cut off for 60 s each, refused and in silence, under load (--seconds 60).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { seed: { type: "string" }, seconds: { type: "string" } },
    });
    const seed = Number(values.seed ?? 1);
    const seconds = Number(values.seconds ?? 60);
    const random = createRandom(seed);
    const remote = await startStoreBehindProxy(stack);
    let database: CutProxy | undefined;
    const deployment = await startDeployment(stack, {
      apis: 2,
      workers: 1,
      async settings(databaseUrl) {
        const url = new URL(databaseUrl);
        database = stack.use(await openCutProxy({ host: url.hostname, port: Number(url.port) }));
        url.port = String(database.port);
        return { DATABASE_URL: url.href, ...remote?.settings };
      },
    });
    const { pool, databaseUrl, dataFolder, apiUrls, key } = deployment;
    const processes = [...deployment.apis, ...deployment.workers];

    const load = await startMixedLoad({ apiUrls, key, random: createRandom(seed + 1), pauseMs: 1000 });
    await waitSeconds(Math.min(10, seconds));
    const health = watchHealth(apiUrls);
    const ways: { name: string; proxy: CutProxy }[] = [
      ...(database ? [{ name: "database", proxy: database }] : []),
      ...(remote ? [{ name: "store", proxy: remote.proxy }] : []),
    ];
    const recoveries: Record<string, number> = {};
    const unnoticed: string[] = [];
    for (const { name, proxy } of ways)
      for (const how of ["refused", "silent"] as const satisfies readonly Cut[]) {
        const isNewPath = how === "silent" && random.percent(50);
        const title = `${name} ${how}${isNewPath ? ", then another path" : ""}`;
        say(`${title}: ${seconds} s, after ${load.acknowledged.length} submissions`);
        await proxy.cut(how);
        await waitSeconds(seconds);
        if (await isReady(apiUrls[0] ?? "")) unnoticed.push(title);
        await proxy.heal({ isNewPath });
        recoveries[title] = rounded(await secondsUntilServed(apiUrls, load));
      }
    const unhealthy = health.stop();
    await load.stop();

    const bars = await judgeAcknowledged({
      pool,
      load,
      stop: () => Promise.all(processes.map((each) => each.stop())),
      compare: () => (remote ? remote.compare(databaseUrl) : compareStore(databaseUrl, dataFolder)),
    });
    for (const title of unnoticed) say(`/readyz said nothing of: ${title}`);
    return {
      bars: [
        ...bars,
        atMost("callers whose connection broke", load.statuses["gone"] ?? 0, 0),
        atMost("processes that ended", processes.filter((each) => each.starts() > 1).length, 0),
        atMost("health checks that failed or took over 15 s", unhealthy, 0),
        atMost("cuts that /readyz did not tell", unnoticed.length, 0),
        atMost(
          "seconds until everything was served again",
          Math.max(...Object.values(recoveries)),
          recoveryLimitSeconds,
        ),
      ],
      figures: {
        seed,
        cutSeconds: seconds,
        store: remote ? "S3 (Swift)" : "folder: the store was not cut off",
        submissions: load.acknowledged.length,
        statuses: load.statuses,
        recoveries,
        slowestSeconds: Math.round(load.slowestSeconds()),
      },
    };
  },
};

/** A store behind a way of its own; undefined where none can be had. */
async function startStoreBehindProxy(stack: AsyncDisposableStack) {
  try {
    const { endpoint, settings, compare } = await startRemoteStore(stack);
    const proxy = stack.use(await openCutProxy({ host: endpoint.hostname, port: Number(endpoint.port) }));
    return { proxy, settings: settings(new URL(`http://127.0.0.1:${proxy.port}`)), compare };
  } catch (error) {
    say(
      `skipped: cutting off the store needs OpenStack Swift, which only root can install on Debian (${String(error)})`,
    );
    return undefined;
  }
}

/** A process that stops to answer this is killed by whoever watches it. */
function watchHealth(apiUrls: readonly string[]): { stop(): number } {
  let failed = 0;
  const timer = setInterval(() => {
    for (const url of apiUrls)
      fetch(`${url}/healthz`, { signal: AbortSignal.timeout(15_000) }).then(
        (answer) => void (failed += answer.ok ? 0 : 1),
        () => void (failed += 1),
      );
  }, 1000);
  return {
    stop() {
      clearInterval(timer);
      return failed;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).ok;
}

/** Ready, and another submission is acknowledged by each API. */
async function secondsUntilServed(apiUrls: readonly string[], load: { acknowledged: string[] }): Promise<number> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  for (const url of apiUrls) while (!(await isReady(url)) && elapsed() < 10 * 60) await waitSeconds(0.2);
  const before = load.acknowledged.length;
  while (load.acknowledged.length < before + apiUrls.length && elapsed() < 10 * 60) await waitSeconds(0.2);
  return elapsed();
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
