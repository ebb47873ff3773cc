import { randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

/**
 * An object is one file: its bytes, then its block list, then this as JSON, then a footer of fixed length. In one file
 * a rename replaces bytes and description together, and a hard link freezes both; with a sidecar a kill, or a second
 * process, could pair the bytes of one upload with the description of another.
 */
export type ObjectMeta = {
  key: string;
  etag: string;
  sizeBytes: number;
  /** Null of a large object: nobody has read all of it yet. */
  sha256: string | null;
  md5: string | null;
  contentType: string;
  lastModified: string;
};

export type Description = ObjectMeta & { blockListBytes: number };

/** Of an object put together from blocks: each block's id (base64) and size, in order. */
export type BlockList = { id: string; sizeBytes: number }[];

const magic = "greenlit-object1";
const footerBytes = magic.length + 4;
/** Room for the footer and the longest description: a key of 700 bytes with every character escaped, and the rest. */
const tailBytes = 8192;

/** What follows an object's bytes in its file. */
export function objectTail(meta: ObjectMeta, blocks: BlockList): Buffer {
  const blockList = Buffer.from(blocks.length === 0 ? "" : JSON.stringify(blocks));
  const description = Buffer.from(JSON.stringify({ ...meta, blockListBytes: blockList.length } satisfies Description));
  const footer = Buffer.alloc(footerBytes, magic);
  footer.writeUInt32BE(description.length, magic.length);
  return Buffer.concat([blockList, description, footer]);
}

/**
 * The description of the object in this file of so many bytes; null when the file is not an object of ours. With it the
 * bytes that were read on the way, which are all of a small object.
 */
export async function readObjectMeta(
  file: FileHandle,
  size: number,
): Promise<{ meta: Description; tail: Buffer; tailStart: number } | null> {
  const tailStart = Math.max(0, size - tailBytes);
  const tail = await readExactly(file, tailStart, size - tailStart);
  const footer = tail.subarray(-footerBytes);
  if (footer.length < footerBytes || footer.toString("latin1", 0, magic.length) !== magic) return null;
  const descriptionBytes = footer.readUInt32BE(magic.length);
  const description = tail.subarray(-footerBytes - descriptionBytes, -footerBytes);
  const meta: Description = JSON.parse(description.toString());
  const isWhole = meta.sizeBytes + meta.blockListBytes + descriptionBytes + footerBytes === size;
  return isWhole ? { meta, tail, tailStart } : null;
}

export async function readBlockList(file: FileHandle, meta: Description): Promise<BlockList> {
  if (meta.blockListBytes === 0) return [];
  const blocks: BlockList = JSON.parse((await readExactly(file, meta.sizeBytes, meta.blockListBytes)).toString());
  return blocks;
}

/** Random, so that it changes with every write, whatever the clock says and also when the bytes are the same. */
export function newEtag(): string {
  return `"0x${randomBytes(8).toString("hex").toUpperCase()}"`;
}

/** An etag as a file name; null when it cannot be one of ours. */
export function etagId(etag: string): string | null {
  return /^"0x([0-9A-F]{16})"$/.exec(etag)?.[1]?.toLowerCase() ?? null;
}

export async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
  return buffer;
}
