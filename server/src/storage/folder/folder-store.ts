import { constants } from "node:fs";
import { access, link, statfs, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { signAddress } from "./azure-signature.ts";
import { createCommit } from "./commit-blocks.ts";
import { createFolderBlocks, type FolderBlocks } from "./folder-blocks.ts";
import { folderLayout, makeFolder } from "./folder-layout.ts";
import { createFolderObjects, type FolderObjects, type OpenObject, readObject, readPart } from "./folder-objects.ts";
import { changed, missing } from "../object-errors.ts";
import type { ObjectMeta } from "./object-file.ts";
import { assertKey, attachment, parseReference, type Store, StoreError, type StoredObject } from "../store.ts";
import { claimTmpPath, sweepTmpFolder } from "./tmp-files.ts";
import { createUnclaimedQuota } from "./unclaimed-quota.ts";

export type FolderStoreOptions = {
  root: string;
  /** How callers reach the gateway; asked at each signing, since a gateway on port 0 knows only once it listens. */
  publicUrl: () => string;
  signingKey: Uint8Array;
  /** For the uploads of one workspace (the first segment of the key) that no submission took. */
  unclaimedQuotaBytes: number;
};

/** A store that keeps its objects as files, and what the gateway in front of it needs beyond that. */
export type FolderStore = Store & {
  readonly kind: "folder";
  readonly objects: FolderObjects;
  readonly blocks: FolderBlocks;
  readonly commit: ReturnType<typeof createCommit>;
};

/** Less does not take a direct upload of the largest size. */
const leastFreeBytes = 10 * 1024 * 1024;
const leftoversAfterMs = 24 * 60 * 60 * 1000;

/** Several processes may open one folder. */
export async function openFolderStore(options: FolderStoreOptions): Promise<FolderStore> {
  const { publicUrl, signingKey } = options;
  const layout = folderLayout(resolve(options.root));
  for (const folder of [layout.objects, layout.frozen, layout.blocks, layout.tmp]) await makeFolder(folder);
  await assertHardLinks(layout.tmp);
  await sweepTmpFolder(layout.tmp, { olderThan: new Date(Date.now() - leftoversAfterMs) });

  const quota = createUnclaimedQuota(layout, options.unclaimedQuotaBytes);
  const objects = createFolderObjects({ layout, quota });
  const blocks = createFolderBlocks({ layout, quota, objects });

  const freeze = async (object: OpenObject) => ({
    ...describe(object.meta),
    reference: await objects.freeze(object),
  });

  return {
    kind: "folder",
    objects,
    blocks,
    commit: createCommit({ quota, objects, blocks }),

    async signPut(key, { expiresAt, maxBytes, contentType }) {
      assertKey(key);
      const grant = { key, permissions: "cw", expiresAt, maxBytes, contentType, contentDisposition: "" } as const;
      return signAddress(grant, { publicUrl: publicUrl(), signingKey });
    },

    async signGet(key, { expiresAt, filename, contentType }) {
      if (!parseReference(key)) assertKey(key);
      const contentDisposition = attachment(filename);
      const grant = { key, permissions: "r", expiresAt, maxBytes: 0, contentType, contentDisposition } as const;
      return signAddress(grant, { publicUrl: publicUrl(), signingKey });
    },

    async put(key, body, { maxBytes, contentType }) {
      try {
        const meta = await objects.write(key, { body: () => body, maxBytes, contentType, needsSha256: true });
        await blocks.discard(key);
        return { ...describe(meta), sha256: meta.sha256 as string };
      } catch (error) {
        body.destroy();
        throw error;
      }
    },

    async head(key) {
      await using object = await objects.openObject(key);
      return object && describe(object.meta);
    },

    async open(key, { etag, start = 0, end = Infinity, signal }) {
      const object = await objects.openObject(key);
      if (object?.meta.etag === etag) return readObject(object, { start, end, signal });
      await object?.[Symbol.asyncDispose]();
      throw object ? changed(key) : missing(key);
    },

    async hold(key) {
      const object = await objects.openObject(key);
      return (
        object && {
          object: describe(object.meta),
          read: (start, end) => readPart(object, start, end),
          freeze: () => freeze(object),
          [Symbol.asyncDispose]: () => object[Symbol.asyncDispose](),
        }
      );
    },

    async freeze(key, etag) {
      assertKey(key);
      await using object = await objects.openObject(key);
      if (!object) throw missing(key);
      if (object.meta.etag !== etag) throw changed(key);
      return await freeze(object);
    },

    remove: (key) => objects.remove(key),

    frozenOf: (key) => objects.frozenOf(key),

    async *list(prefix) {
      for await (const { reference, ...meta } of objects.list(prefix))
        yield { key: reference ?? meta.key, ...describe(meta) };
    },

    async sweep({ olderThan }) {
      const removedBlocks = await blocks.sweep({ olderThan });
      return { removedFiles: removedBlocks + (await sweepTmpFolder(layout.tmp, { olderThan })) };
    },

    async check() {
      try {
        for (const folder of [layout.objects, layout.tmp])
          await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      } catch (error) {
        throw new StoreError("unavailable", "The store's folder cannot be written to.", { cause: error });
      }
      const { bavail, bsize } = await statfs(layout.tmp);
      if (bavail * bsize < leastFreeBytes)
        throw new StoreError("disk_full", `The store's disk is full: ${bavail * bsize} bytes are free.`);
    },

    async [Symbol.asyncDispose]() {},
  };
}

function describe(meta: ObjectMeta): StoredObject {
  const { etag, sizeBytes, sha256 } = meta;
  return { etag, sizeBytes, sha256, lastModified: new Date(meta.lastModified) };
}

/** Said at start, since without hard links nothing could be frozen, and the first submission would be the one to find out. */
async function assertHardLinks(folder: string): Promise<void> {
  await using file = claimTmpPath(folder);
  await using second = claimTmpPath(folder);
  await writeFile(file.path, "", { mode: 0o600 });
  try {
    await link(file.path, second.path);
  } catch (error) {
    throw new Error(`The store's folder is on a file system without hard links, which it needs: ${folder}`, {
      cause: error,
    });
  }
}
