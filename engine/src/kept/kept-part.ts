import { type PartEvidence, partFormatVersion } from "../evidence/parts/film-part.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import type { FilmContent } from "../print/film-print.ts";
import { packPrint, unpackPrint } from "../print/pack-print.ts";
import { KeptEvidenceError, packJson, unpackJson } from "./kept-evidence.ts";

/** What was gathered of one part of a long film, kept until all parts are there. */
export type KeptPart = { evidence: PartEvidence; print: FilmContent | null };

/** Four letters, the version of the format, three bytes of zero, the length of the evidence, the evidence, the print. */
const magic = "GLFP";
const headerBytes = 12;

export function packPart({ evidence, print }: KeptPart, probe: Probe): Buffer {
  const packed = packJson(evidence);
  const header = Buffer.alloc(headerBytes);
  header.write(magic, "latin1");
  header.writeUInt8(partFormatVersion, magic.length);
  header.writeUInt32LE(packed.length, 8);
  return Buffer.concat([header, packed, ...(print === null ? [] : [packPrint({ ...nothingElse(probe), ...print })])]);
}

/** Throws a KeptEvidenceError for bytes that this release did not write: the part is gathered again then. */
export function unpackPart(bytes: Uint8Array): KeptPart {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    buffer.length < headerBytes ||
    buffer.toString("latin1", 0, magic.length) !== magic ||
    buffer[4] !== partFormatVersion
  )
    throw new KeptEvidenceError("These bytes are no part of a film that this release reads.");
  const end = headerBytes + buffer.readUInt32LE(8);
  const evidence = unpackJson(buffer.subarray(headerBytes, end)) as PartEvidence;
  return { evidence, print: end === buffer.length ? null : unpackPrint(buffer.subarray(end)) };
}

/** The rest of a print is that of the whole film, and is made with it. */
function nothingElse({ kind }: Probe) {
  return {
    kind,
    sha256: "",
    sizeBytes: 0,
    trackCounts: { video: 0, audio: 0, captions: 0 },
    streams: null,
    pages: null,
    supers: [],
    words: [],
    captions: [],
    findings: [],
  };
}
