import { type FileHandle, link, lstat, open, readdir, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { errnoOf, orNullIfMissing, publishFile, receiveFile } from "./durable-file.ts";
import { type FolderLayout, splitKey, syncFolder } from "./folder-layout.ts";
import { createKeyedLock } from "./keyed-lock.ts";
import {
  type BlockList,
  type Description,
  etagId,
  newEtag,
  objectTail,
  type ObjectMeta,
  readExactly,
  readObjectMeta,
} from "./object-file.ts";
import { alreadyExists, assertFits, changed, missing } from "../object-errors.ts";
import { assertKey, frozenPrefixOf, parseReference, referenceTo, StoreError } from "../store.ts";
import { claimTmpPath } from "./tmp-files.ts";
import type { UnclaimedQuota } from "./unclaimed-quota.ts";

export type WriteConditions = { onlyIfMissing?: boolean; ifMatch?: string | undefined };

export type WriteOptions = {
  /** Called when nothing speaks against the upload any more, so that a client that waits for `100 Continue` sends no byte before. */
  body: () => Readable;
  /** Whether nobody else holds the body's chunks. */
  ownsChunks?: boolean;
  /** As announced; undefined when the client did not say. */
  declaredBytes?: number | undefined;
  maxBytes: number;
  contentType: string;
  conditions?: WriteConditions;
  /** What the body's MD5 must be, in base64. */
  md5?: string | undefined;
  /** Whether the SHA-256 is needed at once, however large the body is. */
  needsSha256?: boolean;
  blocks?: BlockList;
  /** What this write makes superfluous: it does not count against the quota. */
  freedBytes?: number;
};

export type OpenObject = AsyncDisposable & {
  file: FileHandle;
  inode: number;
  meta: Description;
  /** The end of the file, from `tailStart` on. */
  tail: Buffer;
  tailStart: number;
};

const linksOfUnfrozen = 1;

export type FolderObjects = ReturnType<typeof createFolderObjects>;

/** The objects of the folder: written whole and synced, or not at all. */
export function createFolderObjects({ layout, quota }: { layout: FolderLayout; quota: UnclaimedQuota }) {
  const lock = createKeyedLock();

  const { fileOf } = layout;

  const openObject = async (key: string): Promise<OpenObject | null> =>
    (await openFile(fileOf(key))) ?? (await openThawed(key));

  /**
   * A power cut may take the name of a reference, for it is not synced: two syncs would double the time of creating a
   * submission. The object itself was synced, and stands for it as long as it is the one that was frozen.
   */
  const openThawed = async (key: string): Promise<OpenObject | null> => {
    const frozen = parseReference(key);
    if (!frozen) return null;
    const object = await openFile(layout.objectFile(frozen.key));
    if (object && etagId(object.meta.etag) === frozen.id) return object;
    await object?.[Symbol.asyncDispose]();
    return null;
  };

  const assertWritable = async (key: string, conditions: WriteConditions = {}): Promise<void> => {
    assertKey(key);
    const references = await orNullIfMissing(readdir(layout.frozenFolder(key)));
    if (references && references.length > 0)
      throw new StoreError("object_frozen", "A submission has taken this upload. Ask for a new upload address.");
    if (!conditions.onlyIfMissing && conditions.ifMatch === undefined) return;
    await using object = await openObject(key);
    if (conditions.onlyIfMissing && object) throw alreadyExists();
    const accepted = [object?.meta.etag, object ? "*" : undefined];
    if (conditions.ifMatch !== undefined && !accepted.includes(conditions.ifMatch)) throw changed(key);
  };

  return {
    openObject,
    assertWritable,

    async write(key: string, options: WriteOptions): Promise<ObjectMeta> {
      await assertWritable(key, options.conditions);
      assertFits(options.declaredBytes ?? 0, options.maxBytes);
      using reservation = await quota.reserve(splitKey(key).workspace, options.declaredBytes ?? 0, options.freedBytes);
      await using tmp = claimTmpPath(layout.tmp);
      const { meta } = await receiveFile(tmp.path, {
        body: options.body(),
        ownsChunks: options.ownsChunks ?? false,
        onBytes(total) {
          assertFits(total, options.maxBytes);
          reservation.cover(total);
        },
        hashes: { sha256: options.needsSha256 === true || isSmall(options), md5: wantsMd5(options) },
        finish({ sizeBytes, sha256, md5 }) {
          assertMd5(md5, options.md5);
          const written = { sizeBytes, sha256, md5, lastModified: new Date().toISOString() };
          const meta: ObjectMeta = { key, etag: newEtag(), contentType: options.contentType, ...written };
          return { meta, tail: objectTail(meta, options.blocks ?? []) };
        },
      });
      return await lock(key, async () => {
        await assertWritable(key, options.conditions);
        const { onlyIfMissing = false } = options.conditions ?? {};
        const replaced = await orNullIfMissing(lstat(layout.objectFile(key)));
        if (!(await publishFile(tmp.path, layout.objectFile(key), { onlyIfMissing }))) throw alreadyExists();
        reservation.keep(meta.sizeBytes);
        if (!onlyIfMissing) tmp.release();
        if (replaced?.nlink === linksOfUnfrozen) quota.release(splitKey(key).workspace, replaced.size);
        return meta;
      });
    },

    /** A second name for the same file: an upload that replaces the object by renaming cannot reach it. */
    async freeze({ inode, meta: { key, etag, sizeBytes } }: OpenObject): Promise<string> {
      const id = etagId(etag);
      if (id === null) throw changed(key);
      return await lock(key, async () => {
        await using tmp = claimTmpPath(layout.tmp);
        const isLinked = await orNullIfMissing(link(layout.objectFile(key), tmp.path).then(() => true));
        if (!isLinked) throw missing(key);
        // Only this name is safe from a racing upload. As long as the object is open, no other file has its inode.
        const linked = await lstat(tmp.path);
        if (linked.ino !== inode) throw changed(key);
        await publishFile(tmp.path, join(layout.frozenFolder(key), id), { isSynced: false });
        if (linked.nlink === linksOfUnfrozen + 1) {
          tmp.release();
          quota.release(splitKey(key).workspace, sizeBytes);
        }
        return referenceTo(key, id);
      });
    },

    async remove(key: string): Promise<void> {
      const path = fileOf(key);
      const stats = await orNullIfMissing(lstat(path));
      if (!stats) return;
      await orNullIfMissing(unlink(path));
      await orNullIfMissing(syncFolder(dirname(path)));
      const frozen = parseReference(key);
      if (frozen) await removeIfEmpty(layout.frozenFolder(frozen.key));
      else if (stats.nlink === linksOfUnfrozen) quota.release(splitKey(key).workspace, stats.size);
    },

    async *frozenOf(key: string): AsyncGenerator<string> {
      assertKey(key);
      for (const id of (await orNullIfMissing(readdir(layout.frozenFolder(key)))) ?? []) yield referenceTo(key, id);
    },

    async *list(prefix: string): AsyncGenerator<ObjectMeta & { reference: string | null }> {
      const ofReferences = frozenPrefixOf(prefix);
      const keyPrefix = ofReferences ?? prefix;
      const workspaceFolders = layout.workspaceFolders(splitKey(keyPrefix).workspace);
      const folders = keyPrefix.includes("/") ? workspaceFolders : layout;
      for await (const path of filesBelow(ofReferences === null ? folders.objects : folders.frozen)) {
        const object = await openFile(path);
        await object?.[Symbol.asyncDispose]();
        if (!object?.meta.key.startsWith(keyPrefix)) continue;
        const id = ofReferences === null ? null : etagId(object.meta.etag);
        yield { ...object.meta, reference: id === null ? null : referenceTo(object.meta.key, id) };
      }
    },
  };
}

/** The stream closes the object's file. */
export function readObject(
  object: OpenObject,
  range: { start: number; end: number; signal?: AbortSignal | undefined },
): Readable {
  const { start, signal } = range;
  const end = Math.min(range.end, object.meta.sizeBytes - 1);
  // A file stream cannot be empty: it would give the byte at `start`. What was read already needs none.
  if (start > end || start >= object.tailStart) {
    const known = object.tail.subarray(start - object.tailStart, Math.max(start, end + 1) - object.tailStart);
    const stream = Readable.from(known.length === 0 ? [] : [known], { objectMode: false });
    return stream.once("close", () => void object[Symbol.asyncDispose]());
  }
  return object.file.createReadStream({ start, end, highWaterMark: 256 * 1024, ...(signal ? { signal } : {}) });
}

/** `end` is exclusive. */
export async function readPart(object: OpenObject, start: number, end: number): Promise<Buffer> {
  const { file, meta, tail, tailStart } = object;
  const length = Math.max(0, Math.min(end, meta.sizeBytes) - start);
  if (start < tailStart) return readExactly(file, start, length);
  return tail.subarray(start - tailStart, start - tailStart + length);
}

const smallBytes = 1024 * 1024;

/**
 * A hash of a large body would hold up every other upload: the worker hashes the bytes when it copies them. Of a small
 * one it does not show, and saves the worker a write.
 */
function isSmall({ declaredBytes = Infinity }: { declaredBytes?: number | undefined }): boolean {
  return declaredBytes <= smallBytes;
}

export function wantsMd5(options: { md5?: string | undefined; declaredBytes?: number | undefined }): boolean {
  return options.md5 !== undefined || isSmall(options);
}

export function assertMd5(actual: string | null, expected: string | undefined): void {
  if (expected === undefined || actual === expected) return;
  throw new StoreError(
    "checksum_mismatch",
    `The body's MD5 is ${actual}, but ${expected} was announced. Send it again.`,
  );
}

/** Leaves alone what is not empty, or already gone. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
  });
}

async function openFile(path: string): Promise<OpenObject | null> {
  await using stack = new AsyncDisposableStack();
  const file = stack.use(await orNullIfMissing(open(path, "r")));
  const stats = await file?.stat();
  const read = file && stats?.isFile() ? await readObjectMeta(file, stats.size) : null;
  if (!file || !read) return null;
  const kept = stack.move();
  return { file, inode: stats?.ino ?? 0, ...read, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of (await orNullIfMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
