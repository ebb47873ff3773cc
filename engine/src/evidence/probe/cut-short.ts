import { open, type FileHandle } from "node:fs/promises";

/** Where a file breaks off that does not say so by its streams. */
export type Cut = {
  /** How long it would be; null where its start does not tell. */
  announcedSeconds: number | null;
  /** How much of that is there; null where only its end is missing. */
  playableSeconds: number | null;
};

const maxChunks = 100_000;
/** An animation of more is not walked through: it would be read twice. */
const maxGifBytes = 64 * 2 ** 20;

/** Whether a WAV, PNG or GIF ends before its own structure does. Null: it is whole, or of another type. */
export async function findCut(file: string, contentType: string): Promise<Cut | null> {
  const find = finders[contentType];
  if (find === undefined) return null;
  await using handle = await open(file, "r");
  return await find(handle, (await handle.stat()).size);
}

const finders: Readonly<Record<string, (handle: FileHandle, sizeBytes: number) => Promise<Cut | null>>> = {
  "audio/wav": findWavCut,
  "audio/x-wav": findWavCut,
  "image/png": findPngCut,
  "image/gif": findGifCut,
};

const endMissing: Cut = { announcedSeconds: null, playableSeconds: null };

async function findWavCut(handle: FileHandle, sizeBytes: number): Promise<Cut | null> {
  let bytesPerSecond = 0;
  let offset = 12;
  for (let count = 0; count < maxChunks && offset + 8 <= sizeBytes; count += 1) {
    const header = await readAt(handle, offset, 24);
    const name = header.toString("latin1", 0, 4);
    const length = header.readUInt32LE(4);
    if (name === "fmt " && header.length >= 20) bytesPerSecond = header.readUInt32LE(16);
    if (name === "data") {
      // Live recorders leave 0 or the largest number where they never learned the length; RF64 says it elsewhere.
      if (length === 0 || length >= 0xff_ff_ff_00) return null;
      const there = sizeBytes - offset - 8;
      if (there + 8 >= length || bytesPerSecond === 0) return null;
      return { announcedSeconds: length / bytesPerSecond, playableSeconds: there / bytesPerSecond };
    }
    offset += 8 + length + (length % 2);
  }
  return null;
}

async function findPngCut(handle: FileHandle, sizeBytes: number): Promise<Cut | null> {
  let offset = 8;
  for (let count = 0; count < maxChunks && offset < sizeBytes; count += 1) {
    const header = await readAt(handle, offset, 8);
    if (header.length < 8) return endMissing;
    if (header.toString("latin1", 4, 8) === "IEND") return null;
    offset += 12 + header.readUInt32BE(0);
  }
  return endMissing;
}

/** A file that ends between two blocks lacks nothing but its last byte, which players do without. */
async function findGifCut(handle: FileHandle, sizeBytes: number): Promise<Cut | null> {
  if (sizeBytes > maxGifBytes) return null;
  const bytes = await readAt(handle, 0, sizeBytes);
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let offset = 13 + tableBytes(bytes[10] ?? 0);
  while (offset < bytes.length) {
    const kind = bytes[offset];
    if (kind === 0x3b) return null;
    if (kind === 0x21) offset += 2;
    else if (kind === 0x2c) offset += 10 + tableBytes(bytes[offset + 9] ?? 0) + 1;
    // Something else than a block: what follows an animation is nothing that is missing.
    else return null;
    let length = bytes[offset];
    while (length !== undefined && length > 0) {
      offset += 1 + length;
      length = bytes[offset];
    }
    if (length === undefined) return endMissing;
    offset += 1;
  }
  return offset > bytes.length ? endMissing : null;
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
