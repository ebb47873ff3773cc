import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { orNullIfMissing } from "./durable-file.ts";
import type { FolderLayout } from "./folder-layout.ts";
import { StoreError } from "../store.ts";

/** What one upload has set aside. Whatever was not kept is given back at the end of its scope. */
export type Reservation = Disposable & {
  /** Sets aside at least this much in all; throws when the workspace has no room for it. */
  cover(totalBytes: number): void;
  /** The bytes are in the store now. */
  keep(sizeBytes: number): void;
};

export type UnclaimedQuota = {
  /** `freedBytes`: what will be gone as soon as the upload is there, so that it does not count twice. */
  reserve(workspace: string, sizeBytes: number, freedBytes?: number): Promise<Reservation>;
  /** Something was removed, or taken by a submission. */
  release(workspace: string, sizeBytes: number): void;
};

type Usage = {
  storedBytes: number;
  reservedBytes: number;
  keptDuringCount: number;
  countedAt: number;
  counting: Promise<void> | null;
};

/** What the service makes of submitted media: no upload, so no submission has to take it. */
const ownFolder = "renditions";

/** A count of a busy folder takes a while, and only other processes make it wrong; ours are booked as they happen. */
const countEverySeconds = 60;
const countBeforeRefusingSeconds = 1;

/** Limits the bytes of a workspace that no submission took, blocks and running uploads included. */
export function createUnclaimedQuota(layout: FolderLayout, quotaBytes: number): UnclaimedQuota {
  const usages = new Map<string, Usage>();

  const usageOf = (workspace: string): Usage => {
    const known = usages.get(workspace);
    if (known) return known;
    const usage = { storedBytes: 0, reservedBytes: 0, keptDuringCount: 0, countedAt: -Infinity, counting: null };
    usages.set(workspace, usage);
    return usage;
  };

  const count = (workspace: string, usage: Usage): Promise<void> => {
    usage.counting ??= (async () => {
      usage.keptDuringCount = 0;
      const startedAt = secondsNow();
      try {
        const stored = await countUnclaimed(layout, workspace);
        usage.storedBytes = stored + usage.keptDuringCount;
        usage.countedAt = startedAt;
      } finally {
        usage.counting = null;
      }
    })();
    return usage.counting;
  };

  return {
    async reserve(workspace, sizeBytes, freedBytes = 0) {
      if (workspace === ownFolder) return { cover() {}, keep() {}, [Symbol.dispose]() {} };
      const usage = usageOf(workspace);
      const reservation = { bytes: 0 };
      const cover = (totalBytes: number) => {
        const more = totalBytes - reservation.bytes;
        if (more <= 0) return;
        if (usage.storedBytes - freedBytes + usage.reservedBytes + more > quotaBytes) throw quotaExceeded(quotaBytes);
        usage.reservedBytes += more;
        reservation.bytes = totalBytes;
      };
      const giveBack = () => {
        usage.reservedBytes -= reservation.bytes;
        reservation.bytes = 0;
      };
      const age = () => secondsNow() - usage.countedAt;
      if (age() === Infinity) await count(workspace, usage);
      else if (age() > countEverySeconds) count(workspace, usage).catch(() => {});
      try {
        cover(sizeBytes);
      } catch (error) {
        if (age() < countBeforeRefusingSeconds) throw error;
        await count(workspace, usage);
        cover(sizeBytes);
      }
      return {
        cover,
        keep(keptBytes) {
          giveBack();
          usage.storedBytes += keptBytes;
          usage.keptDuringCount += keptBytes;
        },
        [Symbol.dispose]: giveBack,
      };
    },
    release(workspace, sizeBytes) {
      const usage = usages.get(workspace);
      if (usage) usage.storedBytes = Math.max(0, usage.storedBytes - sizeBytes);
    },
  };
}

async function countUnclaimed(layout: FolderLayout, workspace: string): Promise<number> {
  const folders = layout.workspaceFolders(workspace);
  let bytes = await sizeOfFiles(folders.objects);
  for (const name of (await orNullIfMissing(readdir(folders.blocks))) ?? [])
    bytes += await sizeOfFiles(join(folders.blocks, name));
  return bytes;
}

/** A file with a second name does not count: that is its frozen reference, so a submission has claimed it. */
async function sizeOfFiles(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of (await orNullIfMissing(readdir(folder))) ?? []) {
    const stats = await orNullIfMissing(lstat(join(folder, name)));
    if (stats?.nlink === 1) bytes += stats.size;
  }
  return bytes;
}

function quotaExceeded(quotaBytes: number): StoreError {
  return new StoreError(
    "quota_exceeded",
    `Uploads that no submission has taken may use ${quotaBytes} bytes of this workspace, and that is used up. ` +
      "Submit them, or wait until they are removed 24 hours after they arrived. The operator sets the limit with GREENLIT_UNCLAIMED_QUOTA_GB.",
  );
}

/** Monotonic: a wall clock that jumps back would stop the counting. */
function secondsNow(): number {
  return performance.now() / 1000;
}
