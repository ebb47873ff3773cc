import { open } from "node:fs/promises";
import yauzl from "yauzl";
import { AnalysisError } from "../../analysis-error.ts";

/** An Office file of a few kilobytes can unpack to any size: these end it before memory does. */
const zipLimits = {
  entries: 20_000,
  entryBytes: 64 * 2 ** 20,
  totalBytes: 192 * 2 ** 20,
  /** XML packs 5 to 30 times. Deflate cannot do more than 1,032. */
  ratio: 400,
  /** Small parts may pack better than that: a page of blank table cells is honest. */
  ratioFromBytes: 4 * 2 ** 20,
};

export type ZipParts = {
  names: readonly string[];
  /** Names that several parts have: which of them is shown depends on the program that opens the file. */
  repeatedNames: readonly string[];
  /** Null: no such part. */
  read: (name: string) => Promise<Buffer | null>;
  close: () => void;
};

/** Lists the parts of an Office file; each is unpacked only when asked for, within the limits. */
export async function openZip(file: string | Buffer): Promise<ZipParts> {
  if (typeof file === "string") await refuseLocked(file);
  const options = { autoClose: false, lazyEntries: true };
  const opening = typeof file === "string" ? yauzl.openPromise(file, options) : yauzl.fromBufferPromise(file, options);
  const zip = await opening.catch(damaged);
  if (zip.entryCount > zipLimits.entries) throw tooLarge(`${zip.entryCount} parts`);
  const entries = new Map<string, yauzl.Entry>();
  const repeatedNames = new Set<string>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw locked();
      // The first one wins, as in Office: a second of the same name is there to confuse readers.
      if (entries.has(entry.fileName)) repeatedNames.add(entry.fileName);
      else entries.set(entry.fileName, entry);
    }
  } catch (error) {
    if (error instanceof AnalysisError) throw error;
    damaged(error);
  }
  let totalBytes = 0;
  return {
    names: [...entries.keys()],
    repeatedNames: [...repeatedNames],
    close: () => zip.close(),
    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      totalBytes += entry.uncompressedSize;
      if (entry.uncompressedSize > zipLimits.entryBytes)
        throw tooLarge(`a part of ${megabytes(entry.uncompressedSize)}`);
      if (totalBytes > zipLimits.totalBytes) throw tooLarge(`more than ${megabytes(zipLimits.totalBytes)}`);
      const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
      if (entry.uncompressedSize > zipLimits.ratioFromBytes && ratio > zipLimits.ratio) {
        throw tooLarge(`a part that is ${Math.round(ratio)} times its packed size`);
      }
      return unpack(zip, entry).catch(damaged);
    },
  };
}

/** yauzl ends the stream with an error as soon as it grows past the announced size, so that a lie costs nothing. */
async function unpack(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Office wraps a document with a password in its old container format. */
async function refuseLocked(file: string): Promise<void> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
  if (bytesRead === 8 && buffer.toString("hex") === "d0cf11e0a1b11ae1") throw locked();
}

function locked(): AnalysisError {
  return new AnalysisError("encrypted_document", "The document is locked with a password. Send a copy without one.");
}

function tooLarge(what: string): AnalysisError {
  return new AnalysisError(
    "unsupported_media",
    `The document unpacks to ${what}, which is more than the limit. Save it again, or send it in parts.`,
  );
}

function damaged(cause: unknown): never {
  throw new AnalysisError("corrupt_media", "The document cannot be read: it is damaged. Save it again.", { cause });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
