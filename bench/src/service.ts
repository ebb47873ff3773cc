import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "@greenlit/server/config.ts";
import { giveBackMemory } from "@greenlit/server/give-back-memory.ts";
import { startService, type Service } from "@greenlit/server/main.ts";
import type { Role } from "@greenlit/server/open-ground.ts";
import { buckets } from "@greenlit/server/workspaces/plans.ts";
import { createKey } from "@greenlit/server/workspaces/manage-keys.ts";
import { createWorkspace } from "@greenlit/server/workspaces/manage-workspaces.ts";

export type ServiceOptions = {
  /** Scratch; what the service keeps goes into it. */
  folder: string;
  databaseUrl: string;
  role: Role;
  env?: Record<string, string>;
};

export type BenchService = { service: Service; workspaceId: string; key: string };

const maxRequests = 100_000_000;

/** The real service as an operator would run it, and a workspace on a finite plan that no benchmark exhausts. */
export async function startBenchService(options: ServiceOptions, stack: AsyncDisposableStack): Promise<BenchService> {
  const plansFile = join(options.folder, "plans.json");
  const scale = Object.fromEntries(buckets.map((bucket) => [bucket, maxRequests]));
  writeFileSync(plansFile, JSON.stringify({ scale }));
  const { config } = readConfig({
    GREENLIT_PORT: "0",
    GREENLIT_STORE_PORT: "0",
    GREENLIT_DATA_DIR: join(options.folder, "data"),
    GREENLIT_STORE_SHARED: "true",
    GREENLIT_ALLOW_NO_JAIL: "true",
    GREENLIT_SECRET_KEY: "0123456789abcdef".repeat(4),
    GREENLIT_LOG: join(options.folder, "greenlit.log"),
    GREENLIT_PLANS_FILE: plansFile,
    DATABASE_URL: options.databaseUrl,
    ...options.env,
  });
  const service = stack.use(await startService({ config, role: options.role }));
  giveBackMemory();
  const { app } = service;
  const name = `bench-${process.pid}`;
  const { workspaceId } = await createWorkspace(app, { name, plan: "scale" });
  const { key } = await createKey(app.db, { workspace: workspaceId, mode: "live" });
  return { service, workspaceId, key };
}
