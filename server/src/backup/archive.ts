import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import { OperatorError } from "../failure.ts";

/** Writes a tar archive compressed with zstd that only its owner may read: whole, or not at all. */
export async function writeArchive<T>(file: string, fill: (archive: Pack) => Promise<T>): Promise<T> {
  const draft = `${file}.partial`;
  await refuseExisting(file);
  try {
    const archive = pack();
    const writing = pipeline(
      archive,
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    // A full disk is told by the entry that could not be written, too.
    writing.catch((error: Error) => archive.destroy(error));
    const result = await fill(archive);
    archive.finalize();
    await writing;
    await rename(draft, file);
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export async function addEntry(archive: Pack, name: string, content: string | Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve())),
  );
}

/** JSON, a line each. */
export function toLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function refuseExisting(file: string): Promise<void> {
  const existing = await open(file, "r").catch(() => null);
  if (!existing) return;
  await existing.close();
  throw new OperatorError(`${file} exists already. Choose another name: nothing is overwritten.`);
}
