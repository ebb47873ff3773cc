import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import type { Evidence, EvidenceKey } from "../evidence/evidence.ts";

/** What an analysis gathered, kept so that it can be judged again without the file. */
export type KeptEvidence = {
  evidence: Evidence;
  /** What was looked for. A key that is missing here was never gathered: its `null` says nothing about the file. */
  gathered: readonly EvidenceKey[];
};

export const evidenceFormatVersion = 1;

/** Four letters, the version of the format, three bytes of zero. */
const magic = "GLEV";
const headerBytes = 8;
const maxUnpackedBytes = 512 * 2 ** 20;

export function packEvidence(kept: KeptEvidence): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write(magic, "latin1");
  header.writeUInt8(evidenceFormatVersion, magic.length);
  return Buffer.concat([header, packJson(kept)]);
}

export function packJson(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value, markOddNumber));
}

export function unpackJson(body: Uint8Array): unknown {
  const text = zstdDecompressSync(body, { maxOutputLength: maxUnpackedBytes, chunkSize: 2 ** 16 }).toString("utf8");
  // Only where there is one: a reviver makes reading many times slower.
  return JSON.parse(text, text.includes(`{"${oddNumber}":`) ? reviveOddNumber : undefined);
}

/** Throws a KeptEvidenceError for bytes that no version of this format explains. */
export function unpackEvidence(bytes: Uint8Array): KeptEvidence {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < headerBytes || buffer.toString("latin1", 0, magic.length) !== magic)
    throw new KeptEvidenceError("These bytes are no kept evidence.");
  const version = buffer.readUInt8(magic.length);
  const read = readers[version];
  if (read === undefined)
    throw new KeptEvidenceError(
      `The evidence has format ${version}, and this release reads up to ${evidenceFormatVersion}. Use a newer release.`,
    );
  try {
    return read(buffer.subarray(headerBytes));
  } catch (error) {
    throw new KeptEvidenceError("The kept evidence is damaged.", { cause: error });
  }
}

export class KeptEvidenceError extends Error {
  override name = "KeptEvidenceError";
}

/** One for every version that was ever written: evidence outlives releases. */
const readers: Readonly<Record<number, (body: Buffer) => KeptEvidence>> = {
  1: (body) => {
    const kept = unpackJson(body) as KeptEvidence;
    // What a later release gathers is not there: null, as for everything that was not looked for.
    return { ...kept, evidence: { ...emptyEvidence(kept.evidence.probe), ...kept.evidence } };
  },
};

/** JSON would turn these into null or 0, and a rule could then find something else. */
const oddNumber = "$number";

function markOddNumber(_key: string, value: unknown): unknown {
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return { [oddNumber]: Object.is(value, -0) ? "-0" : String(value) };
}

function reviveOddNumber(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, oddNumber)) return value;
  return Number((value as Record<string, unknown>)[oddNumber]);
}
