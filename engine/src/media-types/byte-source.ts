/** `end` is exclusive. Fewer bytes than asked for mean the end of the object. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

/** Random access to an object that is not in memory: what lies in the head or the tail costs no read. */
export type ByteSource = {
  sizeBytes: number;
  /** The first bytes, at most `headBytes` of them. */
  head: Buffer;
  /** Clamped to the object; empty where nothing can be read. */
  bytes(start: number, end: number): Promise<Buffer>;
  /** The same object without its first `offset` bytes. */
  from(offset: number): Promise<ByteSource>;
};

export const headBytes = 64 * 1024;

// A crafted file can chain its structures through as many offsets as it likes, and each would be a request to the store.
const maxReads = 32;
const maxReadBytes = 4 * 1024 * 1024;

export function byteSource(object: {
  head: Uint8Array;
  tail?: Uint8Array | undefined;
  sizeBytes: number;
  read?: ReadRange | undefined;
}): ByteSource {
  const { sizeBytes, read } = object;
  const head = asBuffer(object.head).subarray(0, sizeBytes);
  const tail = asBuffer(object.tail ?? new Uint8Array());
  const tailStart = sizeBytes - tail.length;
  let reads = 0;

  async function bytes(start: number, end: number): Promise<Buffer> {
    const first = Math.max(0, start);
    const last = Math.min(end, sizeBytes, first + maxReadBytes);
    if (first >= last) return Buffer.alloc(0);
    if (last <= head.length) return head.subarray(first, last);
    if (tail.length > 0 && first >= tailStart) return tail.subarray(first - tailStart, last - tailStart);
    if (read === undefined || ++reads > maxReads) return head.subarray(first);
    return asBuffer(await read(first, last)).subarray(0, last - first);
  }

  async function from(offset: number): Promise<ByteSource> {
    return {
      sizeBytes: Math.max(0, sizeBytes - offset),
      head: await bytes(offset, offset + headBytes),
      bytes: async (start, end) => await bytes(offset + Math.max(0, start), offset + end),
      from: async (further) => await from(offset + further),
    };
  }

  return { sizeBytes, head: head.subarray(0, headBytes), bytes, from };
}

/** The bytes as characters, one for each, so that signatures can be compared as strings. */
export function latin1(bytes: Buffer, start = 0, end = bytes.length): string {
  return bytes.toString("latin1", start, end);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
