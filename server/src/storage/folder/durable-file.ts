import { createHash } from "node:crypto";
import { type FileHandle, link, mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { makeFolder, syncFolder } from "./folder-layout.ts";
import { StoreError } from "../store.ts";

export type Received = { sizeBytes: number; sha256: string | null; md5: string | null };

/** How much is written at once. Large writes cost less, but only a few uploads at once are large, and two hundred small ones add up. */
const batchBytesAt = (sizeBytes: number) => (sizeBytes < 32 * 1024 * 1024 ? 128 : 1024) * 1024;

const maxBatchChunks = 1024;

/** Streams a body into a new file and syncs it. What `finish` makes of the whole body is returned, and its tail written behind the body. */
export async function receiveFile<T extends { tail: Buffer }>(
  path: string,
  options: {
    body: Readable;
    /** Whether nobody else holds the body's chunks, so that they end as soon as they are written. */
    ownsChunks: boolean;
    /** Called with the total so far, before it is written; throws to stop. */
    onBytes(total: number): void;
    hashes: { sha256: boolean; md5: boolean };
    finish(received: Received): T;
  },
): Promise<T> {
  const sha256 = options.hashes.sha256 ? createHash("sha256") : null;
  const md5 = options.hashes.md5 ? createHash("md5") : null;
  let sizeBytes = 0;
  try {
    await using file = await open(path, "wx", 0o600);
    let batch: Buffer[] = [];
    let batchStart = 0;
    let written = Promise.resolve();
    const flush = async () => {
      await written;
      const chunks = batch;
      written = writeAll(file, chunks, batchStart).then(() => {
        if (options.ownsChunks) giveBack(chunks);
      });
      // Its failure is met at the next flush; until then it must not count as unhandled.
      written.catch(() => {});
      // The hashes are computed while a thread of the pool writes, not before or after it.
      for (const chunk of chunks) {
        sha256?.update(chunk);
        md5?.update(chunk);
      }
      batch = [];
      batchStart = sizeBytes;
    };
    await forEachChunk(options.body, (chunk) => {
      sizeBytes += chunk.length;
      options.onBytes(sizeBytes);
      batch.push(chunk);
      // A client may send every byte as a chunk of its own, and each costs a hundred times its length in memory.
      const isFull = sizeBytes - batchStart >= batchBytesAt(sizeBytes) || batch.length === maxBatchChunks;
      return isFull ? flush() : undefined;
    });
    await flush();
    await written;
    const digests = { sha256: sha256?.digest("hex") ?? null, md5: md5?.digest("base64") ?? null };
    const finished = options.finish({ sizeBytes, ...digests });
    await writeAll(file, [finished.tail], sizeBytes);
    await file.sync();
    return finished;
  } catch (error) {
    throw asDiskFull(error);
  }
}

/**
 * Gives a finished file its name, replacing what had it unless `onlyIfMissing`; returns false if that stood in the way.
 * Unless `isSynced` is false, the name outlives a power cut.
 */
export async function publishFile(
  from: string,
  to: string,
  options: { onlyIfMissing?: boolean; isSynced?: boolean } = {},
): Promise<boolean> {
  const { onlyIfMissing = false, isSynced = true } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      await (isSynced ? makeFolder(dirname(to)) : mkdir(dirname(to), { recursive: true, mode: 0o700 }));
      await (onlyIfMissing ? link(from, to) : rename(from, to));
      if (isSynced) await syncFolder(dirname(to));
      return true;
    } catch (error) {
      if (errnoOf(error) === "EEXIST") return false;
      // A sweep or a block list may remove the folder just after it was made.
      if (errnoOf(error) !== "ENOENT" || attempt === 5) throw asDiskFull(error);
    }
  }
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** The awaited value, or null when the file is not there. */
export async function orNullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return null;
    throw error;
  }
}

/**
 * Hands on every chunk, the next one after what was returned has settled. Not `for await`: that costs a tenth more, and
 * copies the chunks that wait into one.
 */
async function forEachChunk(body: Readable, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  const refused = Promise.withResolvers<never>();
  let taken = Promise.resolve();
  const onData = (chunk: Buffer) => {
    try {
      const taking = take(chunk);
      if (!taking) return;
      body.pause();
      taken = taking.then(() => void body.resume());
      taken.catch(refused.reject);
    } catch (error) {
      body.pause();
      refused.reject(error);
    }
  };
  const ended = finished(body, { writable: false, cleanup: true });
  body.on("data", onData);
  try {
    await Promise.race([ended, refused.promise]);
    await taken;
  } finally {
    // Only paused: destroyed, a request that was refused could no longer be answered.
    body.off("data", onData).pause();
  }
}

/** Left to the collector, the chunks of a large upload cost more than its hash: it marks the whole heap for every 60 MB of them. */
function giveBack(chunks: Buffer[]): void {
  for (const { buffer, byteLength } of chunks)
    // Small ones are cut from memory that others share.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function writeAll(file: FileHandle, chunks: Buffer[], position: number): Promise<void> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length === 0) return;
  let { bytesWritten } = await file.writev(chunks, position);
  if (bytesWritten === length) return;
  // A nearly full disk takes a part, and says ENOSPC only when asked to take the rest.
  const all = Buffer.concat(chunks);
  while (bytesWritten < length)
    bytesWritten += (await file.write(all, bytesWritten, length - bytesWritten, position + bytesWritten)).bytesWritten;
}

function asDiskFull(error: unknown): unknown {
  const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(errnoOf(error) ?? "");
  return isFull
    ? new StoreError(
        "disk_full",
        "The store's disk is full, so nothing was stored. Ask your operator to free space, then send it again.",
        { cause: error },
      )
    : error;
}
