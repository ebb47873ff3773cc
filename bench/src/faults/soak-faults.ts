import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { until } from "@greenlit/engine/testing/until.ts";
import { startReceiver } from "@greenlit/server/testing/receiver.ts";
import { openEnough } from "../enough.ts";
import type { Pool } from "pg";
import { createRandom, type Random } from "../fuzz/random.ts";
import { atMost, say, type Bench } from "../report.ts";
import { compareStore, findGivenUp, judgeAcknowledged } from "./acknowledged.ts";
import { startDeployment, type Deployment } from "./deployment.ts";
import { endHard, processesIn, type GreenlitProcess } from "./greenlit-process.ts";
import { startMixedLoad } from "./mixed-load.ts";

/** Enough for workers that are never idle; more would only take the time of what is being started again. */
const maxWaiting = 12;
const childPatienceMs = 10_000;
const workPatienceMs = 30_000;
const recoveryPatienceSeconds = 900;
/** In turn, so that a short run has each. */
const victims = ["api", "child", "postgres", "worker", "child"] as const;

export const soakFaults: Bench = {
  about:
    "kill -9 of API, worker, what they start, and PostgreSQL, under load: nothing acknowledged is lost, stuck or done twice (--minutes N).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { seed: { type: "string" }, kills: { type: "string" }, minutes: { type: "string" } },
    });
    const seed = Number(values.seed ?? 1);
    const kills = Number(values.kills ?? 1000);
    const random = createRandom(seed);
    const deployment = await startDeployment(stack, { apis: 2, workers: 2 });
    const { pool, databaseUrl, dataFolder, apiUrls, key } = deployment;
    const receiver = stack.use(await startReceiver());
    await subscribe(deployment, `${receiver.url}/hook`);

    const enough = openEnough(values.minutes);
    const load = await startMixedLoad({
      apiUrls,
      key,
      random: createRandom(seed + 1),
      pauseMs: 600,
      whenRoom: () => whenFewWait(pool, enough),
    });
    const killed: Record<string, number> = {};
    let count = 0;
    const killNext = async (index: number) => {
      // Of its own, for those of one moment draw in any order.
      const own = createRandom(Math.imul(seed, 1_000_003) + index);
      const victim = await killOne(own, deployment, victims[index % victims.length] ?? "api");
      killed[victim] = (killed[victim] ?? 0) + 1;
      count += 1;
      if (count % 10 === 0) say(`${count} kills, ${load.acknowledged.length} submissions`);
    };
    for (let next = 0; next < kills && !enough.aborted;) {
      await new Promise((resolve) => setTimeout(resolve, 100 + random.below(1000)));
      const atOnce = Math.min(random.pick([1, 1, 2, 3]), kills - next);
      const before = load.acknowledged.length;
      const first = next;
      next += atOnce;
      await Promise.all(Array.from({ length: atOnce }, (_, index) => killNext(first + index)));
      // Those that kill a service which never gets to work show nothing.
      const deadline = performance.now() + workPatienceMs;
      await until(() => load.acknowledged.length > before || enough.aborted || performance.now() > deadline);
    }
    await load.stop();

    let givenUp: string[] = [];
    let untold: string[] = [];
    const bars = await judgeAcknowledged({
      pool,
      load,
      excused: () => givenUp,
      async stop() {
        givenUp = await findGivenUp(pool, load.acknowledged);
        const toTell = load.acknowledged.filter((id) => !givenUp.includes(id));
        untold = await waitUntilTold(toTell, () => receiver.received);
        for (const each of [...deployment.apis, ...deployment.workers]) await each.stop();
      },
      compare: () => compareStore(databaseUrl, dataFolder),
    });
    const { api = 0, worker = 0, postgres = 0 } = killed;
    const killedPrograms = count - api - worker - postgres;
    return {
      bars: [
        ...bars,
        atMost("results that no webhook told", untold.length, 0),
        atMost("analyses given up because they ended twice", givenUp.length, Math.floor(killedPrograms / 2)),
      ],
      figures: {
        seed,
        kills: count,
        killed,
        submissions: load.acknowledged.length,
        deliveries: receiver.received.length,
        statuses: load.statuses,
        slowestSeconds: Math.round(load.slowestSeconds()),
      },
    };
  },
};

async function killOne(
  random: Random,
  { apis, workers, dataFolder, pool }: Deployment,
  what: (typeof victims)[number],
): Promise<string> {
  if (what === "postgres") {
    // Never the first process, which nobody starts again: any other ends all connections, and PostgreSQL recovers.
    const cluster = await realpath(join(dataFolder, "..", "postgres", "postgres"));
    const first = Number.parseInt(await readFile(join(cluster, "postmaster.pid"), "utf8"), 10);
    // Nor the one that recovers: without it the first ends too.
    await until(() => pool.query("select 1").then(Boolean, () => false), { patienceSeconds: recoveryPatienceSeconds });
    endHard(random.pick((await processesIn(cluster)).filter((pid) => pid !== first)));
    return "postgres";
  }
  const child = what === "child" ? await killChild(random, workers) : undefined;
  if (child !== undefined) return child;
  const all = what === "api" ? apis : workers;
  const up = all.filter((each) => each.isUp());
  return (await random.pick(up.length > 0 ? up : all).kill(random)).replace(/-\d$/, "");
}

/** A worker that was just started has none yet: the first that any of them has. */
async function killChild(random: Random, workers: readonly GreenlitProcess[]): Promise<string | undefined> {
  for (const deadline = performance.now() + childPatienceMs; performance.now() < deadline;) {
    const first = random.below(workers.length);
    for (const worker of [...workers.slice(first), ...workers.slice(0, first)]) {
      const program = await worker.killChild(random);
      if (program !== undefined) return program;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}

async function subscribe({ apiUrls, key }: Deployment, url: string): Promise<void> {
  const answer = await fetch(`${apiUrls[0]}/api/integrations/webhooks`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ url, eventTypes: ["asset.processing.completed"] }),
  });
  if (answer.status !== 201) throw new Error(`the webhook was not created: ${answer.status} ${await answer.text()}`);
}

async function whenFewWait(pool: Pool, enough: AbortSignal): Promise<void> {
  while (!enough.aborted) {
    const { rows } = await pool
      .query<{ waiting: number }>(
        "select count(*)::int as waiting from assets where status in ('submitted', 'processing')",
      )
      // Nobody is asked while PostgreSQL recovers.
      .catch(() => ({ rows: [] }));
    if ((rows[0]?.waiting ?? 0) < maxWaiting) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Deliveries come a moment after the result, and later when their process was killed. */
async function waitUntilTold(submissionIds: readonly string[], received: () => { body: string }[]): Promise<string[]> {
  for (const deadline = performance.now() + 5 * 60_000; ;) {
    const told = new Set(
      received().map(({ body }) => (JSON.parse(body) as { data: { submission_id: string } }).data.submission_id),
    );
    const untold = submissionIds.filter((id) => !told.has(id));
    if (untold.length === 0 || performance.now() > deadline) return untold;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
