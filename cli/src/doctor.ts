import { constants, existsSync } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { findDecoder } from "@greenlit/engine/evidence/decode/decoder.ts";
import { findJail } from "@greenlit/engine/jail/jail.ts";
import { findModels } from "@greenlit/engine/models/find-models.ts";
import { readConfig, type Config } from "@greenlit/server/config.ts";
import { leastFreeBytes, locateDataFolder } from "@greenlit/server/data-folder.ts";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { openEmbeddedPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import { neededOpenFiles, readOpenFilesLimit, warnOfOpenFiles } from "@greenlit/server/open-files.ts";
import { openRemoteStore } from "@greenlit/server/open-store.ts";
import packageFile from "../package.json" with { type: "json" };
import type { Check, Finding } from "./doctor-check.ts";
import { examineDatabase } from "./doctor-database.ts";
import { addCommand } from "./operator.ts";
import { print } from "./print.ts";

const leastNodeMajor = 24;

export function addDoctorCommand(program: Command): void {
  addCommand(program, {
    name: "doctor",
    description: "check what the service needs on this machine, and say what to change",
    example: "greenlit doctor",
  }).action(async (options: { json?: boolean }) => {
    const { config, warnings } = readConfig(process.env);
    const checks = await examine(config);
    for (const warning of warnings) checks.push({ name: "settings", status: "warning", message: warning });
    const isHealthy = checks.every(({ status }) => status !== "error");
    const mark = { ok: "ok      ", warning: "warning ", error: "ERROR   " };
    print(
      options,
      { isHealthy, checks },
      checks.map(({ name, status, message }) => `${mark[status]} ${name.padEnd(17)} ${message}`),
    );
    if (!isHealthy) process.exitCode = 1;
  });
}

async function examine(config: Config): Promise<Check[]> {
  const checks: Record<string, () => Finding | Promise<Finding>> = {
    node: checkNode,
    store: () => checkStore(config),
    disk: () => checkDisk(config),
    "file descriptors": () => checkOpenFiles(config),
    jail: () => checkJail(config),
    decoder: checkDecoder,
    models: () => checkModels(config),
    "second reader": () => checkSecondReader(config),
    collector: () => checkCollector(config),
  };
  const found: Check[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      found.push({ name, ...(await check()) });
    } catch (error) {
      found.push({ name, status: "error", message: error instanceof Error ? error.message : String(error) });
    }
  }
  const [database, ...inside] = await checkDatabase(config);
  const version: Check = { name: "greenlit", status: "ok", message: packageFile.version };
  return [...found.slice(0, 1), ...(database ? [database] : []), ...found.slice(1), version, ...inside];
}

function checkNode(): Finding {
  const version = process.versions.node;
  if (Number(version.split(".")[0]) >= leastNodeMajor) return { status: "ok", message: version };
  return { status: "error", message: `${version}, but ${leastNodeMajor} or later is needed. Install it.` };
}

async function checkDatabase(config: Config): Promise<Check[]> {
  const { path } = locateDataFolder(config.dataDir);
  if (!config.databaseUrl && !existsSync(path))
    return [{ name: "postgresql", status: "ok", message: "embedded; the first start makes its data" }];
  try {
    await using stack = new AsyncDisposableStack();
    const url =
      config.databaseUrl ??
      stack.use(await openEmbeddedPostgres({ dir: config.dataDir, command: "greenlit doctor" })).url;
    const { pool } = stack.use(
      openDatabase({ url, poolSize: 1, onError: () => {}, applicationName: "greenlit-cli", connectionWaitMs: 10_000 }),
    );
    const { rows } = await pool.query<{ server_version: string }>("show server_version");
    const where = config.databaseUrl ? "at DATABASE_URL" : "embedded";
    const version = `${rows[0]?.server_version} ${where}`;
    return [{ name: "postgresql", status: "ok", message: version }, ...(await examineDatabase(pool))];
  } catch (error) {
    return [{ name: "postgresql", status: "error", message: error instanceof Error ? error.message : String(error) }];
  }
}

async function checkStore(config: Config): Promise<Finding> {
  const remote = await openRemoteStore(config);
  if (remote) {
    await using store = remote;
    await store.check();
    return { status: "ok", message: `${config.store} answers` };
  }
  const folder = nearestFolder(join(locateDataFolder(config.dataDir).path, "store"));
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { status: "ok", message: `folder ${folder}` };
  } catch {
    return {
      status: "error",
      message: `${folder} cannot be written to. Give this user the right, or change GREENLIT_DATA_DIR.`,
    };
  }
}

async function checkDisk(config: Config): Promise<Finding> {
  const folder = nearestFolder(locateDataFolder(config.dataDir).path);
  const { bavail, bsize } = await statfs(folder);
  const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
  const needed = leastFreeBytes / 2 ** 20;
  const message = `${megabytes.toLocaleString("en-GB")} MB free at ${folder}`;
  if (megabytes < needed)
    return {
      status: "error",
      message: `${message}; at least ${needed} MB are needed. Free some space, or change GREENLIT_DATA_DIR.`,
    };
  // One video may have 5 GB.
  if (megabytes < 5 * 1024)
    return { status: "warning", message: `${message}; one video may have 5,120 MB. Free some space.` };
  return { status: "ok", message };
}

function checkOpenFiles(config: Config): Finding {
  const warning = warnOfOpenFiles(config);
  if (warning) return { status: "warning", message: warning };
  return {
    status: "ok",
    message: `${readOpenFilesLimit() ?? "an unknown number"} allowed, ${neededOpenFiles(config)} needed`,
  };
}

async function checkJail(config: Config): Promise<Finding> {
  const jail = await findJail();
  if (jail.isolatesNetwork) return { status: "ok", message: jail.description };
  const isRefused = config.databaseUrl !== undefined && !config.allowNoJail;
  return {
    status: isRefused ? "error" : "warning",
    message: `${jail.description}. Decoders of foreign files reach network and files: install bubblewrap (docs/operating.md).`,
  };
}

async function checkDecoder(): Promise<Finding> {
  const { kind, description } = await findDecoder();
  return { status: kind === "none" ? "error" : "ok", message: description };
}

function checkModels(config: Config): Finding {
  const models = findModels({ whisperModel: config.whisperModel });
  return { status: models.canReadText && models.canHearSpeech ? "ok" : "warning", message: models.description };
}

async function checkSecondReader({ llmUrl, llmModel }: Config): Promise<Finding> {
  if (llmUrl === undefined) return { status: "ok", message: "off (GREENLIT_LLM_URL is not set)" };
  if (llmModel === undefined) return { status: "error", message: "GREENLIT_LLM_MODEL is missing. Set it." };
  return answers(llmUrl, { what: llmModel, setting: "GREENLIT_LLM_URL", without: "Assets complete without it" });
}

async function checkCollector({ otlpEndpoint }: Config): Promise<Finding> {
  if (otlpEndpoint === undefined) return { status: "ok", message: "off (OTEL_EXPORTER_OTLP_ENDPOINT is not set)" };
  const setting = "OTEL_EXPORTER_OTLP_ENDPOINT";
  return answers(otlpEndpoint, { what: "OTLP", setting, without: "Traces and metrics are dropped" });
}

/** Any answer will do: no key is sent, and nothing is asked that costs anything. */
async function answers(
  url: string,
  { what, setting, without }: { what: string; setting: string; without: string },
): Promise<Finding> {
  const { host } = new URL(url);
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(5000) });
    return { status: "ok", message: `${what} at ${host} answers` };
  } catch {
    return { status: "warning", message: `${host} does not answer. ${without}: check ${setting} and the network.` };
  }
}

function nearestFolder(path: string): string {
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  return nearest;
}
