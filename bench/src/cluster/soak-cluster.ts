import { parseArgs } from "node:util";
import { createGreenlit, type Greenlit } from "@greenlit/sdk/src/index.ts";
import { startReceiver } from "@greenlit/server/testing/receiver.ts";
import sharp from "sharp";
import { compareStore, findWrong, waitForAll } from "../faults/acknowledged.ts";
import { startDeployment } from "../faults/deployment.ts";
import type { GreenlitProcess } from "../faults/greenlit-process.ts";
import { startRemoteStore } from "../faults/remote-store.ts";
import { createRandom } from "../fuzz/random.ts";
import { atLeast, atMost, say, type Bench } from "../report.ts";
import { openScratchFolder } from "../scratch.ts";
import { openBalancer } from "./balancer.ts";

const apis = 3;
const workers = 4;
/** What waits at once: enough that no worker is ever idle. */
const backlog = 30;
/** So that one who waits for an API that was killed does not let the backlog run dry. */
const submitters = 3;

type Done = { submitted: string[]; failures: string[]; reads: number };

export const soakCluster: Bench = {
  about:
    "3 APIs behind a balancer, 4 workers, one PostgreSQL and one S3 store, mixed load; processes are killed, drained and added (--minutes 30).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { seed: { type: "string" }, minutes: { type: "string" } },
    });
    const seed = Number(values.seed ?? 1);
    const seconds = Number(values.minutes ?? 30) * 60;
    const random = createRandom(seed);
    const remote = await startRemoteStore(stack).catch((error: unknown) => {
      say(`OpenStack Swift is not there, so the store is a folder that the processes share (${String(error)})`);
      return undefined;
    });
    const deployment = await startDeployment(stack, {
      apis,
      workers,
      slots: 1,
      settings: () => remote?.settings(remote.endpoint) ?? {},
    });
    const { pool, key, workspaceId, databaseUrl } = deployment;
    const apiProcesses = deployment.apis;
    const workerProcesses = [...deployment.workers];
    stack.defer(async () => void (await Promise.all(workerProcesses.map((each) => each.stop()))));

    const balancer = await openBalancer(stack, {
      folder: await openScratchFolder(stack),
      ports: deployment.apiUrls.map((url) => Number(new URL(url).port)),
    });
    const receiver = stack.use(await startReceiver());
    const client = (): Greenlit => createGreenlit({ baseUrl: balancer.nextUrl(), apiKey: key, maxRetries: 8 });
    await client().call("createWebhook", {
      body: { url: `${receiver.url}/hook`, eventTypes: ["asset.processing.completed"] },
    });

    const done: Done = { submitted: [], failures: [], reads: 0 };
    const stop = new AbortController();
    const countCompleted = async () => {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from submissions where status = 'complete'",
      );
      return rows[0]?.count ?? 0;
    };
    // Along an index, because this is asked ten times a second.
    const countWaiting = async () => {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from submissions where workspace_id = $1 and status in ('submitted', 'processing')",
        [workspaceId],
      );
      return rows[0]?.count ?? 0;
    };
    const load = [
      ...Array.from({ length: submitters }, () => keepSubmitting({ client, done, signal: stop.signal, countWaiting })),
      keepReading({ client, done, signal: stop.signal }),
    ];

    // Caches are made with the first assets, which is not what is compared.
    await waitSeconds(Math.min(60, seconds / 6));
    say("calm");
    const calm = await measure(countCompleted, () => waitSeconds(seconds / 6));
    say(`${calm.toFixed(2)} assets a second; now processes come and go`);
    const happened: Record<string, number> = {};
    const troubled = await measure(countCompleted, async () => {
      for (const end = performance.now() + ((seconds * 2) / 3) * 1000; performance.now() < end;) {
        await waitSeconds(3 + random.below(10));
        const what = await disturb(random, { apiProcesses, workerProcesses, startWorker: deployment.startWorker });
        happened[what] = (happened[what] ?? 0) + 1;
        say(`${what}; ${done.submitted.length} submissions, ${done.failures.length} failed calls`);
      }
    });
    stop.abort();
    await Promise.all(load);
    const stuck = await waitForAll(pool, done.submitted);
    const wrong = await findWrong(pool, done.submitted);
    const untoldOf = () => {
      const told = new Set(
        receiver.received.map(
          ({ body }) => (JSON.parse(body) as { data: { submission_id: string } }).data.submission_id,
        ),
      );
      return done.submitted.filter((id) => !told.has(id));
    };
    // Deliveries come a moment after the result.
    for (let wait = 0; wait < 60 && untoldOf().length > 0; wait += 1) await waitSeconds(1);
    const untold = untoldOf();
    await Promise.all([...apiProcesses, ...workerProcesses].map((each) => each.stop()));

    const storage = await (remote?.compare(databaseUrl) ?? compareStore(databaseUrl, deployment.dataFolder));
    for (const problem of [...stuck.map((id) => `stuck: ${id}`), ...wrong, ...done.failures].slice(0, 20)) say(problem);
    return {
      bars: [
        atMost("acknowledged submissions lost or stuck", stuck.length, 0),
        atMost("assets that failed, or have no result or not one event", wrong.length, 0),
        atMost("results that no webhook told", untold.length, 0),
        atMost("calls that failed after the SDK's retries", done.failures.length, 0),
        atMost("rows without bytes", storage.missing.length, 0),
        atLeast("throughput while processes come and go, against the calm", troubled / calm, 0.85),
      ],
      figures: {
        seed,
        balancer: balancer.name,
        store: remote ? "S3 (Swift)" : "folder",
        happened,
        submissions: done.submitted.length,
        reads: done.reads,
        deliveries: receiver.received.length,
        calmPerSecond: calm,
        troubledPerSecond: troubled,
      },
    };
  },
};

/** One more, one fewer, a rollout of one, or a death. There are never fewer than three workers and two APIs. */
async function disturb(
  random: ReturnType<typeof createRandom>,
  options: {
    apiProcesses: GreenlitProcess[];
    workerProcesses: GreenlitProcess[];
    startWorker: (index: number) => Promise<GreenlitProcess>;
  },
): Promise<string> {
  const { apiProcesses, workerProcesses, startWorker } = options;
  const what = random.pick(["kill", "kill", "drain", "drain", "add", "remove"] as const);
  if (what === "add" && workerProcesses.length <= workers) {
    workerProcesses.push(await startWorker(workerProcesses.length + random.below(1000)));
    return "add a worker";
  }
  if (what === "remove" && workerProcesses.length > workers) {
    await workerProcesses.pop()?.stop();
    return "remove a worker";
  }
  const victim = random.pick([...apiProcesses, ...workerProcesses]);
  const kind = victim.name.replace(/-\d+$/, "");
  if (what === "drain") {
    await victim.drain();
    return `drain a ${kind}`;
  }
  await victim.kill(random);
  return `kill a ${kind} or its child`;
}

/** Mostly texts, now and then a picture, as teams send them; never more than what the workers have to do soon. */
async function keepSubmitting(options: {
  client: () => Greenlit;
  done: Done;
  signal: AbortSignal;
  countWaiting: () => Promise<number>;
}): Promise<void> {
  const { client, done, signal, countWaiting } = options;
  const picture = await sharp({ create: { width: 320, height: 180, channels: 3, background: "#3366aa" } })
    .png()
    .toBuffer();
  for (let count = 0; !signal.aborted; count += 1) {
    while (!signal.aborted && (await countWaiting()) >= backlog) await waitSeconds(0.2);
    try {
      const file =
        count % 10 === 9
          ? new File([new Uint8Array(picture)], "banner.png", { type: "image/png" })
          : new File([`Note ${count}: this bracelet cures arthritis.`], "note.txt", { type: "text/plain" });
      const greenlit = client();
      const { blobPath } = await greenlit.upload(file, { filename: file.name });
      const { submissionId } = await greenlit.submissions.create({ assets: [{ blobPath }] });
      done.submitted.push(submissionId);
    } catch (error) {
      done.failures.push(`submit: ${String(error)}`);
    }
  }
}

async function keepReading(options: { client: () => Greenlit; done: Done; signal: AbortSignal }): Promise<void> {
  const { client, done, signal } = options;
  for (let count = 0; !signal.aborted; count += 1) {
    const submissionId = done.submitted[count % Math.max(1, done.submitted.length)];
    try {
      if (submissionId) await client().submissions.get(submissionId);
      for await (const _ of client().submissions.list({ limit: 5 })) break;
      done.reads += 2;
    } catch (error) {
      done.failures.push(`read: ${String(error)}`);
    }
    await waitSeconds(0.1);
  }
}

async function measure(count: () => Promise<number>, work: () => Promise<void>): Promise<number> {
  const [before, startedAt] = [await count(), performance.now()];
  await work();
  return ((await count()) - before) / ((performance.now() - startedAt) / 1000);
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
