import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startReceiver } from "@greenlit/server/testing/receiver.ts";
import { openEnough } from "../enough.ts";
import type { Pool } from "pg";
import { createRandom, type Random } from "../fuzz/random.ts";
import { atMost, say, type Bench } from "../report.ts";
import { compareStore, judgeAcknowledged } from "./acknowledged.ts";
import { startDeployment, type Deployment } from "./deployment.ts";
import { endHard, processesIn } from "./greenlit-process.ts";
import { startMixedLoad } from "./mixed-load.ts";

const maxWaiting = 40;
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
    for (; count < kills && !enough.aborted; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100 + random.below(1000)));
      const victim = await killOne(random, deployment, victims[count % victims.length] ?? "api");
      killed[victim] = (killed[victim] ?? 0) + 1;
      if (count % 10 === 9) say(`${count + 1} kills, ${load.acknowledged.length} submissions`);
    }
    await load.stop();

    let untold: string[] = [];
    const bars = await judgeAcknowledged({
      pool,
      load,
      async stop() {
        untold = await waitUntilTold(load.acknowledged, () => receiver.received);
        for (const each of [...deployment.apis, ...deployment.workers]) await each.stop();
      },
      compare: () => compareStore(databaseUrl, dataFolder),
    });
    return {
      bars: [...bars, atMost("results that no webhook told", untold.length, 0)],
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
  { apis, workers, dataFolder }: Deployment,
  what: (typeof victims)[number],
): Promise<string> {
  if (what === "postgres") {
    // Never the first process, which nobody starts again: any other ends all connections, and PostgreSQL recovers.
    const cluster = await realpath(join(dataFolder, "..", "postgres", "postgres"));
    const first = Number.parseInt(await readFile(join(cluster, "postmaster.pid"), "utf8"), 10);
    endHard(random.pick((await processesIn(cluster)).filter((pid) => pid !== first)));
    return "postgres";
  }
  const child = what === "child" ? await random.pick(workers).killChild(random) : undefined;
  if (child !== undefined) return child;
  return (await random.pick(what === "api" ? apis : workers).kill(random)).replace(/-\d$/, "");
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
