import { readFile, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { claimDataFolder, DataFolderBusy, locateDataFolder, readHolder } from "../data-folder.ts";
import { findBinaries } from "./embedded-postgres-binaries.ts";
import { clusterIn, prepareCluster, readPassword } from "./embedded-postgres-cluster.ts";
import { EmbeddedPostgresFailed } from "./embedded-postgres-failed.ts";
import { endLeftoverServer, type PostgresProcess, runServer } from "./embedded-postgres-process.ts";

export type EmbeddedPostgres = AsyncDisposable & {
  url: string;
  /** Resolves, with the reason, when the server ends without having been asked. */
  exited: Promise<string>;
};

/** Starts the PostgreSQL of a data folder, which the caller must have claimed. */
export async function startEmbeddedPostgres(options: { dataFolder: string }): Promise<EmbeddedPostgres> {
  const dataFolder = await realpath(options.dataFolder);
  const cluster = clusterIn(dataFolder);
  const binaries = await findBinaries({ stageIn: join(dataFolder, "postgres-binaries") });
  await prepareCluster(dataFolder, binaries);
  const password = await readPassword(dataFolder);
  const program = join(binaries.folder, "postgres");
  const { server, port } = await runOnFreePort({ program, cluster, logFile: join(dataFolder, "logs", "postgres.log") });
  const url = urlOf({ password, port });
  const problem = await whyNoAnswer(url, cluster);
  if (problem !== null) {
    await server.stop();
    throw new EmbeddedPostgresFailed(`The database in ${cluster} runs but does not let us in: ${problem}.`);
  }

  let isAsked = false;
  return {
    url,
    exited: new Promise((resolve) => {
      void server.ended.then((lastWords) => {
        if (!isAsked) resolve(`PostgreSQL in ${cluster} ended: ${lastWords}`);
      });
    }),
    async [Symbol.asyncDispose]() {
      isAsked = true;
      await server.stop();
    },
  };
}

/** The live server of a folder, for a command beside the service. */
export async function findRunningPostgres(dataFolder: string): Promise<{ url: string } | null> {
  const cluster = await realpath(clusterIn(dataFolder)).catch(() => null);
  if (cluster === null) return null;
  const lines = (await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const port = Number(lines[3]);
  if (lines[7]?.trim() !== "ready" || !Number.isInteger(port)) return null;
  const url = urlOf({ password: await readPassword(dataFolder), port });
  return (await whyNoAnswer(url, cluster)) === null ? { url } : null;
}

/** For one-off commands: the server of the running service, or one of our own until we are done. */
export async function openEmbeddedPostgres(options: {
  dir: string;
  command: string;
}): Promise<{ url: string } & AsyncDisposable> {
  // A service that is just starting or stopping holds the folder without a server to attach to.
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { path } = locateDataFolder(options.dir);
    const holder = readHolder(path);
    // Another one-off command would take its server away from under us.
    const running = holder === null || holder.isTransient ? null : await findRunningPostgres(path);
    if (running !== null) return { ...running, async [Symbol.asyncDispose]() {} };
    try {
      return await startForOneCommand(options);
    } catch (error) {
      if (!(error instanceof DataFolderBusy) || Date.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

async function startForOneCommand(options: {
  dir: string;
  command: string;
}): Promise<{ url: string } & AsyncDisposable> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await claimDataFolder({ ...options, isTransient: true }));
  const server = owned.use(await startEmbeddedPostgres({ dataFolder: folder.path }));
  const kept = owned.move();
  return { url: server.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function runOnFreePort(options: {
  program: string;
  cluster: string;
  logFile: string;
}): Promise<{ server: PostgresProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    await endLeftoverServer(options.cluster);
    const port = await findFreePort();
    const args = ["-D", options.cluster, ...settings(port).flatMap((setting) => ["-c", setting])];
    const server = await runServer({ program: options.program, args, logFile: options.logFile });
    if ("stop" in server) return { server, port };
    // Another program may take the port between our look and PostgreSQL's, and a server that was starting when its
    // Greenlit was killed may appear after our look for it.
    const isBadLuck = /Address already in use|postmaster\.pid" already exists|pre-existing shared memory/;
    if (!isBadLuck.test(server.failed) || attempt === 5) {
      throw new EmbeddedPostgresFailed(
        `PostgreSQL in ${options.cluster} did not start (its log is ${options.logFile}):\n${server.failed}`,
      );
    }
  }
}

// On the command line, not in postgresql.conf, so that a new release of ours brings its own. What keeps committed rows
// (fsync, full_page_writes, synchronous_commit) stays at PostgreSQL's default, on.
function settings(port: number): string[] {
  return [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "cluster_name=greenlit",
    "max_connections=100",
    "shared_buffers=128MB",
    "timezone=UTC",
    // Containers give /dev/shm 64 MB, which a parallel query overruns.
    "max_parallel_workers_per_gather=0",
    "max_parallel_maintenance_workers=0",
    // The log holds no values of rows and no statements.
    "log_error_verbosity=terse",
    "log_min_error_statement=panic",
    "log_checkpoints=off",
    "log_timezone=UTC",
  ];
}

function urlOf({ password, port }: { password: string; port: number }): string {
  return `postgres://greenlit:${password}@127.0.0.1:${port}/greenlit`;
}

/** Asks for the cluster too: a copied data folder has the same password and a stale port. */
async function whyNoAnswer(url: string, cluster: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    return rows[0]?.data_directory === cluster ? null : `its data is in ${rows[0]?.data_directory}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("No free port on 127.0.0.1."));
        else resolve(address.port);
      });
    });
  });
}
