import { join } from "node:path";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { migrate } from "@greenlit/server/db/migrate.ts";
import { freePort } from "@greenlit/server/testing/free-port.ts";
import { createKey } from "@greenlit/server/workspaces/manage-keys.ts";
import { createWorkspace } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { loadPlans } from "@greenlit/server/workspaces/plans.ts";
import type { Pool } from "pg";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import { keepRunning, type GreenlitProcess } from "./greenlit-process.ts";

export type Deployment = {
  dataFolder: string;
  /** Straight to PostgreSQL, whatever lies between it and the service. */
  databaseUrl: string;
  pool: Pool;
  key: string;
  apiUrls: string[];
  workspaceId: string;
  apis: GreenlitProcess[];
  workers: GreenlitProcess[];
  /** One more, which whoever started it stops. */
  startWorker: (index: number) => Promise<GreenlitProcess>;
};

const secretKey = "0123456789abcdef".repeat(4);

/** APIs and workers as an operator starts them, on a PostgreSQL and a folder of their own. */
export async function startDeployment(
  stack: AsyncDisposableStack,
  options: {
    apis: number;
    workers: number;
    /** Of each worker. */
    slots?: number;
    /** Settings that depend on where PostgreSQL is, like an address that leads to it by another way. */
    settings?: (databaseUrl: string) => Record<string, string> | Promise<Record<string, string>>;
  },
): Promise<Deployment> {
  const folder = await openScratchFolder(stack);
  const databaseUrl = await startScratchPostgres(stack, folder);
  await migrate(databaseUrl);
  const { db, pool } = stack.use(openDatabase({ url: databaseUrl, poolSize: 4, onError: () => {} }));
  const { workspaceId } = await createWorkspace({ db, plans: loadPlans(undefined) }, { name: "soak", plan: "local" });
  const { key } = await createKey(db, { workspace: workspaceId, mode: "live" });

  const dataFolder = join(folder, "data");
  const ports = await Promise.all(Array.from({ length: options.apis }, () => freePort()));
  const storePort = await freePort();
  const more = await options.settings?.(databaseUrl);
  const start = (role: "api" | "worker", index: number) => {
    const name = `${role}-${index}`;
    const env = {
      DATABASE_URL: databaseUrl,
      GREENLIT_DATABASE_POOL_SIZE: "5",
      GREENLIT_PORT: String(role === "api" ? ports[index] : 0),
      GREENLIT_STORE_PORT: String(role === "api" && index === 0 ? storePort : 0),
      GREENLIT_DATA_DIR: dataFolder,
      GREENLIT_STORE_SHARED: "true",
      GREENLIT_SECRET_KEY: secretKey,
      GREENLIT_ALLOW_NO_JAIL: "true",
      GREENLIT_RENDITIONS: "false",
      GREENLIT_WORKER_SLOTS: String(options.slots ?? 2),
      GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8",
      GREENLIT_WEBHOOK_HTTP: "true",
      GREENLIT_LOG: join(folder, `${name}.log`),
      ...more,
    };
    return keepRunning({ name, role, env });
  };
  const apis = await Promise.all(ports.map((_, index) => start("api", index)));
  const workers = await Promise.all(Array.from({ length: options.workers }, (_, index) => start("worker", index)));
  stack.defer(async () => void (await Promise.all([...apis, ...workers].map((each) => each.stop()))));
  const apiUrls = ports.map((port) => `http://127.0.0.1:${port}`);
  const startWorker = (index: number) => start("worker", index);
  return { dataFolder, databaseUrl, pool, key, apiUrls, workspaceId, apis, workers, startWorker };
}
