import { lstat, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ProtocolError } from "./azure-protocol.ts";
import { orNullIfMissing, publishFile, type Received, receiveFile } from "./durable-file.ts";
import { assertMd5, type FolderObjects, removeIfEmpty, wantsMd5 } from "./folder-objects.ts";
import { assertFits } from "../object-errors.ts";
import { type FolderLayout, splitKey } from "./folder-layout.ts";
import { claimTmpPath } from "./tmp-files.ts";
import type { UnclaimedQuota } from "./unclaimed-quota.ts";

export type StageOptions = {
  id: string;
  body: () => Readable;
  declaredBytes: number | undefined;
  maxBytes: number;
  md5: string | undefined;
};

export type FolderBlocks = {
  stage(key: string, options: StageOptions): Promise<Received>;
  /** The staged blocks' ids and sizes. */
  staged(key: string): Promise<Map<string, number>>;
  fileOf(key: string, id: string): string;
  /** Drops every staged block of the key. */
  discard(key: string): Promise<void>;
  /** Drops the blocks of keys that none arrived for since then. */
  sweep(options: { olderThan: Date }): Promise<number>;
};

/** The blocks of one key: those that are there, and those still arriving, by id. */
type Staging = { stored: Map<string, number>; arriving: Map<string, number>; readAt: number };

const maxStagedBlocks = 100_000;
const rememberedStagings = 1000;
/** Only another process that shares the folder makes what we remember wrong, and Put Block List looks for itself. */
const readAgainSeconds = 30;

/** The blocks that wait for a block list to make an object of them. */
export function createFolderBlocks(parts: {
  layout: FolderLayout;
  quota: UnclaimedQuota;
  objects: FolderObjects;
}): FolderBlocks {
  const { layout, quota, objects } = parts;
  const stagings = new Map<string, Staging>();

  const fileOf = (key: string, id: string) => join(layout.blocksFolder(key), Buffer.from(id, "base64").toString("hex"));

  const staged = async (key: string): Promise<Map<string, number>> => {
    const folder = layout.blocksFolder(key);
    const sizes = new Map<string, number>();
    for (const name of (await orNullIfMissing(readdir(folder))) ?? []) {
      const stats = await orNullIfMissing(lstat(join(folder, name)));
      if (stats) sizes.set(Buffer.from(name, "hex").toString("base64"), stats.size);
    }
    return sizes;
  };

  const stagingOf = async (key: string): Promise<Staging> => {
    const now = performance.now() / 1000;
    const staging = stagings.get(key) ?? { stored: new Map(), arriving: new Map(), readAt: -Infinity };
    if (now - staging.readAt < readAgainSeconds) return staging;
    staging.stored = await staged(key);
    staging.readAt = now;
    stagings.set(key, staging);
    for (const [old, { arriving }] of stagings) {
      if (stagings.size <= rememberedStagings) break;
      if (arriving.size === 0) stagings.delete(old);
    }
    return staging;
  };

  return {
    staged,
    fileOf,

    async stage(key, { id, body, declaredBytes, maxBytes, md5 }) {
      await objects.assertWritable(key);
      const staging = await stagingOf(key);
      if (staging.stored.size >= maxStagedBlocks && !staging.stored.has(id))
        throw new ProtocolError(
          409,
          "BlockCountExceedsLimit",
          `At most ${maxStagedBlocks} blocks can wait for a block list.`,
        );
      // A block sent again replaces its predecessor, so only the others take from what is allowed.
      const others = new Map([...staging.stored, ...staging.arriving]);
      others.delete(id);
      const othersBytes = others.values().reduce((sum, size) => sum + size, 0);
      assertFits(othersBytes + (declaredBytes ?? 0), maxBytes);
      using reservation = await quota.reserve(splitKey(key).workspace, declaredBytes ?? 0);
      await using tmp = claimTmpPath(layout.tmp);
      staging.arriving.set(id, declaredBytes ?? 0);
      try {
        const received = await receiveFile(tmp.path, {
          body: body(),
          ownsChunks: true,
          onBytes(total) {
            assertFits(othersBytes + total, maxBytes);
            reservation.cover(total);
          },
          hashes: { sha256: false, md5: wantsMd5({ md5, declaredBytes }) },
          finish(received) {
            assertMd5(received.md5, md5);
            return { ...received, tail: Buffer.alloc(0) };
          },
        });
        await objects.assertWritable(key);
        await publishFile(tmp.path, fileOf(key, id));
        tmp.release();
        reservation.keep(received.sizeBytes - (staging.stored.get(id) ?? 0));
        staging.stored.set(id, received.sizeBytes);
        return received;
      } finally {
        staging.arriving.delete(id);
      }
    },

    async discard(key) {
      stagings.get(key)?.stored.clear();
      await dropFolder(layout.blocksFolder(key));
    },

    async sweep({ olderThan }) {
      let removedFiles = 0;
      for (const workspace of await readdir(layout.blocks)) {
        for (const name of (await orNullIfMissing(readdir(join(layout.blocks, workspace)))) ?? []) {
          const folder = join(layout.blocks, workspace, name);
          const files = ((await orNullIfMissing(readdir(folder))) ?? []).map((file) => join(folder, file));
          if (await someChangedSince([folder, ...files], olderThan)) continue;
          await dropFolder(folder);
          removedFiles += files.length;
        }
        await removeIfEmpty(join(layout.blocks, workspace));
      }
      stagings.clear();
      return removedFiles;
    },
  };

  /** In one step for other readers: a folder that is emptied file by file still shows some of its blocks. */
  async function dropFolder(folder: string): Promise<void> {
    await using tmp = claimTmpPath(layout.tmp);
    const isMoved = await orNullIfMissing(rename(folder, tmp.path).then(() => true));
    if (!isMoved) tmp.release();
  }
}

async function someChangedSince(paths: string[], time: Date): Promise<boolean> {
  for (const path of paths) {
    const stats = await orNullIfMissing(lstat(path));
    if (stats && stats.ctime >= time) return true;
  }
  return false;
}
