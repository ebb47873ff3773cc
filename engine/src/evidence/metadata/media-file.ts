/** A file that is too large to hold in memory: it is read in pieces. */
export type MediaFile = { sizeBytes: number; read: (offset: number, length: number) => Promise<Buffer> };
