import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Config } from "../config.ts";

const program = fileURLToPath(new URL("../../../cli/bin/greenlit.js", import.meta.url));

/** A worker of the service under test in a process of its own, which can be killed. It writes a line when it is up. */
export function spawnWorker(config: Config, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [program, "serve", "--role", "worker", "--json"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: config.databaseUrl ?? "",
      GREENLIT_SECRET_KEY: config.secretKey?.toString("hex") ?? "",
      GREENLIT_STORE_SHARED: "true",
      GREENLIT_ALLOW_NO_JAIL: "true",
      GREENLIT_DATA_DIR: config.dataDir,
      ...(config.cacheDir !== undefined && { GREENLIT_CACHE_DIR: config.cacheDir }),
      GREENLIT_LOG: "off",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
}
