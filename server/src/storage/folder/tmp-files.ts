import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, readdir, rm, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";

/** Of this process, over all stores it opened: a sweep must spare them whatever a jumping clock says of their age. */
const inUse = new Set<string>();

export type TmpPath = AsyncDisposable & {
  path: string;
  /** Nothing has this name any more, so that nothing is to be removed. */
  release(): void;
};

/** A path for `await using`: whatever is still there at the end of the scope is removed. */
export function claimTmpPath(folder: string): TmpPath {
  const path = join(folder, `${machine()}.${process.pid}.${randomUUID()}`);
  let isReleased = false;
  inUse.add(basename(path));
  return {
    path,
    release() {
      isReleased = true;
    },
    async [Symbol.asyncDispose]() {
      // Nearly always a plain file, for which `rm` would look three times.
      if (!isReleased) await unlink(path).catch(() => rm(path, { force: true, recursive: true }));
      inUse.delete(basename(path));
    },
  };
}

/** Removes what killed processes of this machine left, at once; what others left, only by its age, for they may be alive. */
export async function sweepTmpFolder(folder: string, options: { olderThan: Date }): Promise<number> {
  let removedFiles = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (inUse.has(name)) continue;
    // A hard link made a moment ago has the old mtime of its file, but a new ctime.
    const isOld = async () => ((await lstat(path).catch(() => null))?.ctime ?? new Date()) < options.olderThan;
    if (!isLeftByTheDead(name) && !(await isOld())) continue;
    removedFiles += await countFiles(path);
    await rm(path, { force: true, recursive: true });
  }
  return removedFiles;
}

async function countFiles(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (!stats) return 0;
  return stats.isDirectory() ? (await readdir(path)).length : 1;
}

function isLeftByTheDead(name: string): boolean {
  const [owner, pid] = name.split(".");
  if (owner !== machine()) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

let machineName: string | undefined;

/** Names the space of process ids that ours belongs to: a second container, or the time before a reboot, is another machine. */
function machine(): string {
  machineName ??= createHash("sha256")
    .update(
      [
        hostname(),
        tryTo(() => readlinkSync("/proc/self/ns/pid")),
        tryTo(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
      ].join(),
    )
    .digest("hex")
    .slice(0, 12);
  return machineName;
}

function tryTo(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
