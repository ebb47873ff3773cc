/** What can be uploaded. In Node: `await openAsBlob(path)` of `node:fs` reads a file of any size as it is sent. */
export type UploadSource = Blob | Uint8Array | RandomAccessSource;

/** Bytes of your own making that can be read from any place, also twice. */
export type RandomAccessSource = {
  size: number;
  read(start: number, end: number): Promise<Blob | Uint8Array>;
};

export function sizeOf(source: UploadSource): number {
  return source instanceof Uint8Array ? source.byteLength : source.size;
}

export async function bytesOf(
  source: UploadSource,
  start: number,
  end: number,
): Promise<Blob | Uint8Array<ArrayBuffer>> {
  // What DOM types do not say: fetch and Blob take the bytes of any buffer.
  type Sendable = Blob | Uint8Array<ArrayBuffer>;
  if (source instanceof Uint8Array) return source.subarray(start, end) as Sendable;
  return "read" in source ? ((await source.read(start, end)) as Sendable) : source.slice(start, end);
}
