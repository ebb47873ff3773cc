import { execFile } from "node:child_process";
import { chmod, mkdir, open, rm, statfs, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { until } from "@greenlit/engine/testing/until.ts";

const run = promisify(execFile);
const mebibyte = 2 ** 20;

export type SmallDisk = {
  path: string;
  /** Takes every byte that is left but these. */
  takeRoom(options: { leaveBytes: number }): Promise<void>;
  giveRoom(): Promise<void>;
  /** What the kernel does with a disk that fails: nothing more is written, whoever has a file open. */
  becomeReadOnly(): Promise<void>;
  /** As an operator does it: unmounted, checked, mounted again. Nobody may use it. */
  repair(): Promise<void>;
  /** Every write waits until it is thawed. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
};

/** A file system of its own in a file; undefined with the reason where we may not mount one. */
export async function mountSmallDisk(
  stack: AsyncDisposableStack,
  options: { folder: string; megabytes: number },
): Promise<SmallDisk | { reason: string }> {
  let image = join(options.folder, "disk.img");
  const path = join(options.folder, "disk");
  const ballast = join(path, "ballast");
  await mkdir(path);
  await writeFile(image, "");
  await truncate(image, options.megabytes * mebibyte);
  const mount = () => run("mount", ["-o", "loop,errors=remount-ro", image, path]);
  try {
    await run("mkfs.ext4", ["-q", "-F", "-m", "0", image]);
    await mount();
  } catch (error) {
    return { reason: `needs to be root and allowed to mount a file as a disk (${String(error).split("\n")[0]})` };
  }
  stack.defer(async () => void (await run("umount", ["--lazy", path]).catch(() => undefined)));
  // As root PostgreSQL runs as another user, who must be able to enter.
  await chmod(path, 0o755);
  return {
    path,
    async takeRoom({ leaveBytes }) {
      await using file = await open(ballast, "w");
      const block = Buffer.alloc(mebibyte);
      for (let size = block.length; ;) {
        const { bavail, bsize } = await statfs(path);
        const room = bavail * bsize - leaveBytes;
        size = Math.min(size, Math.max(room, 0));
        if (size === 0) break;
        const { bytesWritten } = await file.write(block, 0, size).catch(() => ({ bytesWritten: 0 }));
        if (bytesWritten === 0) break;
      }
      await file.sync().catch(() => undefined);
    },
    async giveRoom() {
      await rm(ballast, { force: true });
    },
    async becomeReadOnly() {
      const { stdout } = await run("findmnt", ["--noheadings", "--output", "SOURCE", path]);
      await writeFile(`/sys/fs/ext4/${basename(stdout.trim())}/trigger_fs_error`, "1");
    },
    async repair() {
      // Programs of a service that was killed end a moment after it.
      await until(async () => {
        const unmounted = await run("umount", [path]).catch(() => undefined);
        return unmounted !== undefined;
      });
      // Whoever else has the mounts of this machine, like a container that is being built, keeps the failed one: go on with a copy.
      const failed = image;
      image = `${failed}+`;
      await run("cp", ["--sparse=always", failed, image]);
      await rm(failed);
      // 1: something was put right.
      await run("e2fsck", ["-fy", image]).catch((error: { code?: number }) => {
        if (error.code !== 1) throw error;
      });
      await mount();
    },
    freeze: async () => void (await run("fsfreeze", ["--freeze", path])),
    thaw: async () => void (await run("fsfreeze", ["--unfreeze", path])),
  };
}
