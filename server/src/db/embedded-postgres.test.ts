import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { until } from "@greenlit/engine/testing/until.ts";
import { claimDataFolder, postgresUser, readHolder } from "../data-folder.ts";
import { findBinaries } from "./embedded-postgres-binaries.ts";
import { findRunningPostgres, openEmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

const needsProc = { skip: process.platform === "linux" ? false : "looks for processes in /proc" };

const prepared = await mkdtemp(join(await realpath(tmpdir()), "greenlit-postgres-"));
before(async () => {
  await chmod(prepared, 0o755);
  await (await startEmbeddedPostgres({ dataFolder: prepared }))[Symbol.asyncDispose]();
});
after(() => rm(prepared, { recursive: true }));

test("rows are kept from one start to the next", async (t) => {
  const dataFolder = await preparedFolder(t);
  {
    await using server = await startEmbeddedPostgres({ dataFolder });
    await query(server.url, "CREATE TABLE kept AS SELECT 42 AS n");
  }

  await using server = await startEmbeddedPostgres({ dataFolder });

  assert.deepEqual(await query(server.url, "SELECT n FROM kept"), [{ n: 42 }]);
});

test("nobody enters without the password, which only we can read", async (t) => {
  const dataFolder = await preparedFolder(t);

  await using server = await startEmbeddedPostgres({ dataFolder });

  const wrong = new URL(server.url);
  wrong.password = "guess";
  await assert.rejects(query(wrong.href, "SELECT 1"), { code: "28P01" });
  const superuser = new URL(server.url);
  superuser.username = "postgres";
  await assert.rejects(query(superuser.href, "SELECT 1"), { code: "28P01" });
  const rules = await readFile(join(dataFolder, "postgres", "pg_hba.conf"), "utf8");
  assert.doesNotMatch(rules, /^[^#].*\b(trust|md5|password|peer)$/m);
  const file = await stat(join(dataFolder, "postgres.password"));
  assert.deepEqual([file.mode & 0o777, file.uid], [0o600, process.getuid?.()]);
});

test("the cluster is safe for data: checksums, fsync, UTF-8, only on 127.0.0.1", async (t) => {
  await using server = await startEmbeddedPostgres({ dataFolder: await preparedFolder(t) });
  const names = ["data_checksums", "fsync", "server_encoding", "listen_addresses", "unix_socket_directories"];

  const columns = names.map((name) => `current_setting('${name}') AS ${name}`).join();
  const [values] = await query(server.url, `SELECT ${columns}`);

  assert.deepEqual(Object.values(values ?? {}), ["on", "on", "UTF8", "127.0.0.1", ""]);
});

test("kill -9 leaves no PostgreSQL behind and loses no acknowledged row", needsProc, async (t) => {
  const dataFolder = await preparedFolder(t);
  const service = startService(t, dataFolder, insertForEver);
  const lines = createInterface(service.stdout);
  let acknowledged = 0;
  for await (const line of lines) {
    acknowledged = Number(line);
    if (acknowledged >= 50) break;
  }

  service.kill("SIGKILL");
  await until(() => serverProcesses(dataFolder).length === 0);

  await using server = await startEmbeddedPostgres({ dataFolder });
  const rows = await query(server.url, "SELECT n FROM acknowledged");
  assert.ok(rows.length >= acknowledged, `${rows.length} rows of ${acknowledged}`);
});

test("a start right after kill -9 waits for the former server", async (t) => {
  const dataFolder = await preparedFolder(t);
  const service = startService(t, dataFolder, insertForEver);
  await nextLine(service);
  service.kill("SIGKILL");

  await using claim = await claimDataFolder({ dir: dataFolder, command: "greenlit serve" });
  await using server = await startEmbeddedPostgres({ dataFolder: claim.path });

  assert.equal((await query(server.url, "SELECT 1 FROM acknowledged LIMIT 1")).length, 1);
});

test("a start ends a former server that lost its watchdog", needsProc, async (t) => {
  const dataFolder = await preparedFolder(t);
  const service = startService(t, dataFolder);
  await nextLine(service);
  const postmaster = Number.parseInt(await readFile(join(dataFolder, "postgres", "postmaster.pid"), "utf8"), 10);
  const watchdogs = processesOfGroup(postmaster).filter((pid) => pid !== postmaster);
  // Stopped first, or it would notice and end the server itself.
  service.kill("SIGSTOP");
  for (const pid of watchdogs) process.kill(pid, "SIGKILL");
  service.kill("SIGKILL");
  await once(service, "exit");
  assert.ok(serverProcesses(dataFolder).includes(postmaster));

  await using server = await startEmbeddedPostgres({ dataFolder });

  assert.ok(!serverProcesses(dataFolder).includes(postmaster));
  assert.equal((await query(server.url, "SELECT 1")).length, 1);
});

test("Ctrl-C reaches the service but not its PostgreSQL", async (t) => {
  const dataFolder = await preparedFolder(t);
  const service = startService(
    t,
    dataFolder,
    `process.once("SIGINT", async () => {
       await sleep(300);
       await client.query("SELECT 1");
       console.log("drained");
       process.stdin.destroy();
     });
     console.log("running");`,
  );
  const lines = createInterface(service.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "running");

  process.kill(-Number(service.pid), "SIGINT");

  assert.equal((await lines.next()).value, "drained");
});

test("a first start that was killed half-way does not spoil the folder", async (t) => {
  const dataFolder = await newFolder(t);
  const service = startService(t, dataFolder);
  const isMade = (folder: string) => existsSync(join(dataFolder, folder, "PG_VERSION"));
  // A test that is kept waiting may find the start already past its half.
  await until(() => readdirSync(dataFolder).some((name) => name.startsWith("postgres") && isMade(name)));
  service.kill("SIGKILL");
  await once(service, "exit");

  await using server = await startEmbeddedPostgres({ dataFolder });

  assert.equal((await query(server.url, "SELECT 1")).length, 1);
  assert.ok((await readdir(dataFolder)).every((name) => !name.startsWith("postgres-unfinished-")));
});

test("a stale postmaster.pid with the number of a live process does not prevent a start", needsProc, async (t) => {
  const dataFolder = await preparedFolder(t);
  const bystander = spawn("sleep", ["60"], { ...postgresUser() });
  cleanUp(t, () => bystander.kill());
  const cluster = join(dataFolder, "postgres");
  await writeFile(join(cluster, "postmaster.pid"), `${bystander.pid}\n${cluster}\n0\n5432\n\n127.0.0.1\n\nready   \n`);
  assert.equal(await findRunningPostgres(dataFolder), null);

  await using server = await startEmbeddedPostgres({ dataFolder });

  assert.equal((await query(server.url, "SELECT 1")).length, 1);
});

test("a server that ends by itself says so", async (t) => {
  const dataFolder = await preparedFolder(t);
  await using server = await startEmbeddedPostgres({ dataFolder });
  const postmaster = Number.parseInt(await readFile(join(dataFolder, "postgres", "postmaster.pid"), "utf8"), 10);

  process.kill(postmaster, "SIGQUIT");

  assert.match(await server.exited, /ended: exit code \d+\n[^]*immediate shutdown request/);
});

test("a start that fails quotes the log", async (t) => {
  const dataFolder = await preparedFolder(t);
  await appendFile(join(dataFolder, "postgres", "postgresql.conf"), "no_such_setting = 1\n");

  const start = startEmbeddedPostgres({ dataFolder });

  await assert.rejects(start, { name: "EmbeddedPostgresFailed", message: /no_such_setting/ });
  assert.match(await readFile(join(dataFolder, "logs", "postgres.log"), "utf8"), /no_such_setting/);
});

test("a folder of another PostgreSQL version is refused with both versions", async (t) => {
  const dataFolder = await preparedFolder(t);
  await writeFile(join(dataFolder, "postgres", "PG_VERSION"), "17\n");

  const start = startEmbeddedPostgres({ dataFolder });

  await assert.rejects(start, { name: "EmbeddedPostgresFailed", message: /made by PostgreSQL 17.* PostgreSQL 18/ });
});

test("a machine without the package is told what to do", async () => {
  const script = `
    Object.defineProperty(process, "arch", { value: "abacus" });
    const { findBinaries } = await import(${JSON.stringify(import.meta.resolve("./embedded-postgres-binaries.ts"))});
    await findBinaries({ stageIn: "/nowhere" }).catch((error) => console.log(error.message));`;

  const message = await nextLine(spawn(process.execPath, ["--input-type=module", "-e", script]));

  assert.match(message, /-abacus\) is not installed\. Install without --omit=optional, or set DATABASE_URL/);
});

test("binaries out of PostgreSQL's reach are staged once, by version, by two at a time", async (t) => {
  const stageIn = join(await newFolder(t), "stage");
  const packageFolder = await copyPackage(t);
  await mkdir(join(stageIn, "17.0.0"), { recursive: true });

  const [one, two] = await Promise.all([
    findBinaries({ stageIn, packageFolder }),
    findBinaries({ stageIn, packageFolder }),
  ]);

  assert.deepEqual(one, two);
  assert.equal(dirname(dirname(one.folder)), stageIn);
  assert.equal((await readdir(stageIn)).length, 1);
  assert.deepEqual(await findBinaries({ stageIn, packageFolder }), one);
});

test("a command attaches to the running service, and leaves it running", async (t) => {
  const dir = await preparedFolder(t);
  const service = startService(t, dir, "console.log(server.url);");
  const url = await nextLine(service);

  {
    await using opened = await openEmbeddedPostgres({ dir, command: "greenlit keys" });
    assert.equal(opened.url, url);
  }

  assert.deepEqual(await findRunningPostgres(dir), { url });
  assert.equal((await query(url, "SELECT 1")).length, 1);
});

test("a command waits for a service that is just starting", async (t) => {
  const dir = await newFolder(t);
  const service = startService(t, dir, "console.log(server.url);");
  await until(() => readHolder(dir) !== null);

  await using opened = await openEmbeddedPostgres({ dir, command: "greenlit keys" });

  assert.equal(opened.url, await nextLine(service));
});

test("commands without a service start their own, one after the other, and stop it", async (t) => {
  const dir = await preparedFolder(t);
  async function runCommand(name: string): Promise<void> {
    await using opened = await openEmbeddedPostgres({ dir, command: name });
    await query(opened.url, `CREATE TABLE ${name} ()`);
  }

  await Promise.all([runCommand("one"), runCommand("two")]);

  assert.equal(await findRunningPostgres(dir), null);
  await using opened = await openEmbeddedPostgres({ dir, command: "three" });
  assert.equal((await query(opened.url, "SELECT FROM one NATURAL JOIN two")).length, 0);
});

const insertForEver = `
  await client.query("CREATE TABLE acknowledged (n int)");
  for (let n = 1; ; n += 1) {
    await client.query("INSERT INTO acknowledged VALUES ($1)", [n]);
    console.log(n);
  }`;

/** A process that claims and serves the folder, then does `work`, until its input ends. */
function startService(t: TestContext, dir: string, work = `console.log("running");`) {
  const script = `
    import { setTimeout as sleep } from "node:timers/promises";
    import pg from ${JSON.stringify(import.meta.resolve("pg"))};
    import { claimDataFolder } from ${JSON.stringify(import.meta.resolve("../data-folder.ts"))};
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve("./embedded-postgres.ts"))};
    await using folder = await claimDataFolder({ dir: ${JSON.stringify(dir)}, command: "greenlit serve" });
    await using server = await startEmbeddedPostgres({ dataFolder: folder.path });
    const client = new pg.Client(server.url);
    await client.connect();
    ${work}
    await new Promise((resolve) => process.stdin.resume().once("close", resolve));
    await client.end();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    // A group of its own, as a shell gives it, so that a test can press Ctrl-C.
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  cleanUp(t, async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.stdin.end();
    await once(child, "exit");
  });
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error("The process ended without a word.");
}

const cleanUps = new WeakMap<TestContext, AsyncDisposableStack>();

/** Last in, first out, unlike t.after: a folder can only go once the server in it has ended. */
function cleanUp(t: TestContext, action: () => unknown): void {
  const existing = cleanUps.get(t);
  const stack = existing ?? new AsyncDisposableStack();
  stack.defer(async () => void (await action()));
  if (existing !== undefined) return;
  cleanUps.set(t, stack);
  t.after(() => stack.disposeAsync());
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "greenlit-postgres-"));
  await chmod(folder, 0o755);
  cleanUp(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder whose first start, the slow one, is past. */
async function preparedFolder(t: TestContext): Promise<string> {
  const folder = await newFolder(t);
  // Not fs.cp, which loses the owner.
  for (const name of ["postgres", "postgres.password"]) execFileSync("cp", ["-a", join(prepared, name), folder]);
  return folder;
}

async function copyPackage(t: TestContext): Promise<string> {
  const folder = join(await newFolder(t), "package");
  const installed = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  // Without its thousand small files, which a program that only says its version does not need.
  const isNeeded = (path: string) => !/native\/(share|lib\/postgresql)$/.test(path);
  await cp(dirname(dirname(fileURLToPath(installed))), folder, { recursive: true, filter: isNeeded });
  const library = join(folder, "native", "lib");
  for (const entry of await readdir(library, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(library, entry.name));
  }
  // Read-only for an ordinary user, who could add the links otherwise; out of reach for root's PostgreSQL.
  await chmod(library, 0o555);
  await chmod(folder, 0o700);
  cleanUp(t, () => chmod(library, 0o755));
  return folder;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function serverProcesses(dataFolder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === join(dataFolder, "postgres"))
    .map(Number);
}

function processesOfGroup(member: number): number[] {
  const groupOf = (pid: string) => statusOf(pid).split(") ")[1]?.split(" ")[2];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && groupOf(name) === groupOf(String(member)))
    .map(Number);
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
