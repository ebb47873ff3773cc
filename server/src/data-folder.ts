import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, hostname } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

export type LocatedDataFolder = { path: string; moved: { wanted: string; reason: string } | null };

export type ClaimedDataFolder = LocatedDataFolder & AsyncDisposable & { isNew: boolean };

export type Holder = {
  command: string;
  pid: number;
  host: string;
  since: string;
  /** A one-off command that soon lets go, as opposed to a service. */
  isTransient: boolean;
};

export class DataFolderBusy extends Error {
  override name = "DataFolderBusy";
  readonly holder: Holder | null;

  constructor(path: string, holder: Holder | null) {
    const who = holder === null ? "another process" : describe(holder);
    super(`The data folder ${path} is in use by ${who}. Stop it, or choose another folder with GREENLIT_DATA_DIR.`);
    this.holder = holder;
  }
}

export class DataFolderUnusable extends Error {
  override name = "DataFolderUnusable";
}

/**
 * Where the data of `wanted` lives: there, or at a durable path when that folder cannot serve. The answer depends on
 * nothing but the folder, so that the command line finds what the service made.
 */
export function locateDataFolder(wanted: string, durableParent = defaultDurableParent()): LocatedDataFolder {
  const path = resolve(wanted);
  const substitute = join(durableParent, substituteName(path));
  const obstacle = findObstacle(path);
  // Data that was made here must not be replaced by an empty folder elsewhere: its owner would think it lost.
  if (obstacle !== null && existsSync(lockFile(path))) {
    throw new DataFolderUnusable(
      `The data folder ${path} holds data but cannot be used now: ${obstacle}. ` +
        `Run as the user who made it, or choose another folder with GREENLIT_DATA_DIR.`,
    );
  }
  if (obstacle !== null) return { path: substitute, moved: { wanted: path, reason: obstacle } };
  // Once moved, the data stays where it is, even when the wanted folder has become usable since.
  if (existsSync(lockFile(substitute)) && !existsSync(lockFile(path))) {
    return { path: substitute, moved: { wanted: path, reason: "its data was put there earlier" } };
  }
  return { path, moved: null };
}

/**
 * Takes the folder for this process alone. The lock is the kernel's (SQLite's byte-range lock), so it ends with the
 * process however that ends, and no process id has to be judged dead or alive, which containers that share a volume
 * would get wrong.
 */
export async function claimDataFolder(options: {
  dir: string;
  command: string;
  waitSeconds?: number;
  isTransient?: boolean;
  durableParent?: string;
}): Promise<ClaimedDataFolder> {
  const { path, moved } = locateDataFolder(options.dir, options.durableParent);
  assertRoom(path);
  makeFolder(path);
  // A reader that looks who holds the folder takes the lock for an instant; without patience that would refuse us.
  const startedAt = Date.now();
  const waitMs = Math.max(250, (options.waitSeconds ?? 0) * 1000);
  let lock = tryLock(path);
  while (lock === null) {
    const holder = readHolder(path);
    // A one-off command soon lets go; a service does not, unless it is just stopping.
    const patienceMs = holder?.isTransient === false ? Math.min(waitMs, 1500) : waitMs;
    if (Date.now() - startedAt > patienceMs) throw new DataFolderBusy(path, holder);
    // Uneven, so that two starters that got in each other's way do not do so again.
    await sleep(10 + Math.random() * 30);
    lock = tryLock(path);
  }
  const held = lock;
  const isNew = holdsNothing(path);
  try {
    writeHolder(path, {
      command: options.command,
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      isTransient: options.isTransient ?? false,
    });
  } catch (error) {
    held.close();
    throw unusable(path, error);
  }
  heldLocks.add(held);
  return {
    path,
    moved,
    isNew,
    async [Symbol.asyncDispose]() {
      if (heldLocks.delete(held)) held.close();
    },
  };
}

/** Who holds the folder now. */
export function readHolder(path: string): Holder | null {
  if (!existsSync(lockFile(path))) return null;
  const lock = new DatabaseSync(lockFile(path), { readOnly: true });
  try {
    lock.exec("SELECT 1 FROM sqlite_schema");
    return null;
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    lock.close();
  }
  try {
    return JSON.parse(readFileSync(holderFile(path), "utf8")) as Holder;
  } catch {
    // The holder has not yet said who it is, or a power cut emptied the file.
    return null;
  }
}

/** PostgreSQL refuses to run as root, so root runs it as `nobody`, who exists on every system; others run it themselves. */
export function postgresUser(): { uid: number; gid: number } | null {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;
}

// A garbage-collected handle would release its lock while the folder is in use.
const heldLocks = new Set<DatabaseSync>();

const lockName = "greenlit.lock";
const holderName = `${lockName}.json`;
const probePrefix = ".greenlit-probe-";
const lockFile = (path: string) => join(path, lockName);
const holderFile = (path: string) => join(path, holderName);

function tryLock(path: string): DatabaseSync | null {
  const file = lockFile(path);
  try {
    // Only when absent: opening and closing the file by other means than SQLite drops this process's own lock on it.
    if (!existsSync(file)) closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw unusable(path, error);
  }
  const lock = new DatabaseSync(file);
  try {
    // Nothing is ever written to it, so it needs no journal beside it.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw unusable(path, error);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function writeHolder(path: string, holder: Holder): void {
  const file = holderFile(path);
  writeFileSync(`${file}.new`, JSON.stringify(holder), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function describe({ command, pid, host, since }: Holder): string {
  const where = host === hostname() ? "" : ` on ${host}`;
  return `\`${command}\` (process ${pid}${where}, since ${since.slice(0, 16).replace("T", " ")} UTC)`;
}

function makeFolder(path: string): void {
  const forRoot = postgresUser() !== null;
  // A strict umask would close root's new folders to PostgreSQL's user, and a second starter would then look elsewhere.
  const umask = process.umask(0o022);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: forRoot ? 0o755 : 0o700 });
    mkdirSync(path, { mode: forRoot ? 0o711 : 0o700 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw unusable(path, error);
    if (forRoot && !isOpenToPostgres(path)) chmodSync(path, statSync(path).mode | 0o011);
  } finally {
    process.umask(umask);
  }
}

/** What keeps the folder from holding a PostgreSQL cluster, or null. */
function findObstacle(path: string): string | null {
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  const existing = realpathSync(nearest);
  if (!statSync(existing).isDirectory()) return `${existing} is not a folder`;
  if (postgresUser() !== null) {
    // An empty folder of our own is opened when it is claimed; one with other things in it is left as it is.
    const start = nearest === path && holdsNothing(existing) ? dirname(existing) : existing;
    const closed = withParents(start).find((folder) => !isOpenToPostgres(folder));
    if (closed !== undefined) return `${closed} is closed to other users, and PostgreSQL does not run as root`;
  }
  try {
    if (existsSync(lockFile(existing))) accessSync(lockFile(existing), constants.R_OK | constants.W_OK);
    return keepsPermissions(existing) ? null : `the file system of ${existing} does not keep owners and permissions`;
  } catch (error) {
    if (hasCode(error, "ENOSPC")) throw diskFull(path, 0);
    return `we may not write in ${existing} (${reasonOf(error)})`;
  }
}

/** PostgreSQL writes its log in pieces of 16 MB, and ends when it cannot. */
export const leastFreeBytes = 32 * 2 ** 20;

function assertRoom(path: string): void {
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  const { bavail, bsize } = statfsSync(nearest);
  if (bavail * bsize < leastFreeBytes) throw diskFull(path, bavail * bsize);
}

function diskFull(path: string, freeBytes: number): DataFolderUnusable {
  const megabytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)} MB`;
  return new DataFolderUnusable(
    `The disk of the data folder ${path} is full: ${megabytes(freeBytes)} are free, and at least ${megabytes(leastFreeBytes)} are needed. Free some space, or choose another folder with GREENLIT_DATA_DIR.`,
  );
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function isOpenToPostgres(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  return (mode & (uid === postgresUser()?.uid ? 0o100 : 0o001)) !== 0;
}

function holdsNothing(folder: string): boolean {
  const isOurs = (name: string) => name.startsWith(lockName) || name.startsWith(probePrefix) || name === "lost+found";
  return readdirSync(folder).every(isOurs);
}

function keepsPermissions(folder: string): boolean {
  const user = postgresUser();
  const probe = mkdtempSync(join(folder, probePrefix));
  try {
    chmodSync(probe, 0o700);
    if (user !== null) chownSync(probe, user.uid, user.gid);
    const { mode, uid } = statSync(probe);
    return (mode & 0o777) === 0o700 && uid === (user?.uid ?? process.getuid?.());
  } finally {
    rmdirSync(probe);
  }
}

function defaultDurableParent(): string {
  if (postgresUser() !== null) return "/var/lib/greenlit";
  const xdg = process.env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(xdg) ? xdg : join(homedir(), ".local", "share"), "greenlit");
}

function substituteName(path: string): string {
  const readable = `${basename(dirname(path))}-${basename(path)}`.replaceAll(/[^\w.-]+/g, "-").replace(/^[-.]+/, "");
  return `${readable.slice(-40)}-${createHash("sha256").update(path).digest("hex").slice(0, 8)}`;
}

function unusable(path: string, cause: unknown): DataFolderUnusable {
  return new DataFolderUnusable(
    `The data folder ${path} cannot be used (${reasonOf(cause)}). Choose another folder with GREENLIT_DATA_DIR.`,
    { cause },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A system call's message names our probe, which tells its reader nothing.
  return "syscall" in error && "code" in error ? String(error.code) : error.message;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
