import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { migrate } from "@greenlit/server/db/migrate.ts";
import { freePort } from "@greenlit/server/testing/free-port.ts";
import { createKey } from "@greenlit/server/workspaces/manage-keys.ts";
import { createWorkspace } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { loadPlans } from "@greenlit/server/workspaces/plans.ts";
import { createRandom } from "../fuzz/random.ts";
import { atMost, say, type Bench } from "../report.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import { compareStore, findWrong, waitForAll } from "./acknowledged.ts";
import { keepRunning } from "./greenlit-process.ts";

const secretKey = "0123456789abcdef".repeat(4);

export const soakFaults: Bench = {
  about: "kill -9 of API, worker and what they start, under load: nothing acknowledged is lost, stuck or done twice.",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { seed: { type: "string" }, kills: { type: "string" } },
    });
    const seed = Number(values.seed ?? 1);
    const kills = Number(values.kills ?? 1000);
    const random = createRandom(seed);
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    await migrate(databaseUrl);
    const { db, pool } = stack.use(openDatabase({ url: databaseUrl, poolSize: 4, onError: () => {} }));
    const plans = loadPlans(undefined);
    const { workspaceId } = await createWorkspace({ db, plans }, { name: "faults", plan: "local" });
    const { key } = await createKey(db, { workspace: workspaceId, mode: "live" });

    const dataFolder = join(folder, "data");
    const ports = [await freePort(), await freePort()];
    const storePort = await freePort();
    const settings = (name: string, port: number) => ({
      DATABASE_URL: databaseUrl,
      GREENLIT_PORT: String(port),
      GREENLIT_STORE_PORT: String(port === ports[0] ? storePort : 0),
      GREENLIT_DATA_DIR: dataFolder,
      GREENLIT_STORE_SHARED: "true",
      GREENLIT_SECRET_KEY: secretKey,
      GREENLIT_ALLOW_NO_JAIL: "true",
      GREENLIT_LOG: join(folder, `${name}.log`),
    });
    const processes = await Promise.all([
      ...ports.map((port, index) =>
        keepRunning({ name: `api-${index}`, role: "api", env: settings(`api-${index}`, port) }),
      ),
      ...[0, 1].map((index) =>
        keepRunning({ name: `worker-${index}`, role: "worker", env: settings(`worker-${index}`, 0) }),
      ),
    ]);
    for (const each of processes) stack.defer(() => each.stop());

    const acknowledged: string[] = [];
    const stop = new AbortController();
    const load = ports.map((port) => keepSubmitting({ port, key, acknowledged, signal: stop.signal }));
    const killed: Record<string, number> = {};
    for (let count = 0; count < kills; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200 + random.below(2000)));
      const victim = await random.pick(processes).kill(random);
      killed[victim] = (killed[victim] ?? 0) + 1;
      if (count % 10 === 9) say(`${count + 1} kills, ${acknowledged.length} submissions`);
    }
    stop.abort();
    await Promise.all(load);
    const stuck = await waitForAll(pool, acknowledged);
    for (const each of processes) await each.stop();

    const storage = await compareStore(databaseUrl, dataFolder);
    const wrong = await findWrong(pool, acknowledged);
    for (const problem of [...stuck.map((id) => `stuck: ${id}`), ...wrong].slice(0, 20)) say(problem);
    for (const { objectKey } of storage.orphans.slice(0, 20)) say(`orphan: ${objectKey}`);
    return {
      bars: [
        atMost("acknowledged submissions lost or stuck", stuck.length, 0),
        atMost("assets that failed, or have no result or not one event", wrong.length, 0),
        atMost("rows without bytes", storage.missing.length, 0),
        atMost("bytes without a row", storage.orphans.length, 0),
      ],
      figures: { seed, kills, killed, submissions: acknowledged.length },
    };
  },
};

/** One text after another; only what was answered with 201 counts. */
async function keepSubmitting(options: {
  port: number;
  key: string;
  acknowledged: string[];
  signal: AbortSignal;
}): Promise<void> {
  const { port, key, acknowledged, signal } = options;
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/integrations${path}`, {
      ...init,
      headers: { "x-api-key": key, ...(typeof init.body === "string" && { "content-type": "application/json" }) },
    });
    const json = (await answer.json()) as Record<string, unknown>;
    return answer.status === 201 ? json : undefined;
  };
  for (let count = 0; !signal.aborted; count += 1) {
    try {
      const form = new FormData();
      form.set("file", new File([`Note ${count}: this bracelet cures arthritis.`], "note.txt", { type: "text/plain" }));
      const upload = await call("/uploads/direct", { method: "POST", body: form });
      if (!upload) continue;
      const assets = [{ blobPath: upload["blobPath"] }];
      const created = await call("/submissions", { method: "POST", body: JSON.stringify({ assets }) });
      if (created) acknowledged.push(String(created["submissionId"]));
    } catch {
      // The process that we talked to is gone; it comes back.
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
