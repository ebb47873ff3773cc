import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import type { ByteSource } from "./byte-source.ts";
import type { Format } from "./media-types.ts";

/** Either a format of the allowlist or, for the message, the name of what it is instead. */
export type ZipKind = { format: Format } | { name: string };

const inflate = promisify(inflateRaw);

const maxDirectoryBytes = 4 * 1024 * 1024;
// The list of parts of a workbook with thousands of sheets stays below this; a bomb does not.
const maxContentTypesBytes = 4 * 1024 * 1024;

const packageKinds: readonly { mainType: string; mainPart: string; format: Format }[] = [
  { mainType: "wordprocessingml.document.main+xml", mainPart: "word/document.xml", format: "docx" },
  { mainType: "presentationml.presentation.main+xml", mainPart: "ppt/presentation.xml", format: "pptx" },
  { mainType: "spreadsheetml.sheet.main+xml", mainPart: "xl/workbook.xml", format: "xlsx" },
];

/** Undefined when the bytes are no ZIP archive at all. */
export async function recogniseZip(source: ByteSource): Promise<ZipKind | undefined> {
  if (!source.head.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004", "latin1"))) return undefined;
  const entries = await readDirectory(source);
  const contentTypes = entries.get("[content_types].xml");
  if (contentTypes === undefined) return { name: "a ZIP archive (application/zip)" };
  // The macros are what a docx promises not to have, whatever its list of parts says.
  if ([...entries.keys()].some((name) => name.endsWith("vbaproject.bin")))
    return { name: "an Office file with macros" };
  const xml = (await readEntry(source, contentTypes))?.toLowerCase() ?? "";
  if (xml.includes("macroenabled")) return { name: "an Office file with macros" };
  const declared = packageKinds.find((kind) => xml.includes(kind.mainType));
  if (declared !== undefined) return { format: declared.format };
  if (xml.includes(".main+xml")) return { name: "another kind of Office file (a template or a slide show)" };
  const conventional = packageKinds.find((kind) => entries.has(kind.mainPart));
  return conventional === undefined ? { name: "a ZIP archive (application/zip)" } : { format: conventional.format };
}

/** A password turns an Office file from a ZIP archive into a file of the kind that Office wrote before 2007. */
export async function nameCompoundFile(source: ByteSource): Promise<string> {
  const tail = await source.bytes(Math.max(0, source.sizeBytes - source.head.length), source.sizeBytes);
  const lockedStream = Buffer.from("EncryptedPackage", "utf16le");
  const isLocked = [source.head, tail].some((bytes) => bytes.includes(lockedStream));
  return isLocked
    ? "an Office file that is locked with a password, which has to be removed first"
    : "a file of Office before 2007 (application/x-cfb)";
}

type Entry = { method: number; compressedBytes: number; headerOffset: number };

/** By the central directory, since entries come in any order; names in lower case, as Office compares them. */
async function readDirectory(source: ByteSource): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const place = await findDirectory(source);
  if (place === undefined || place.sizeBytes > maxDirectoryBytes) return entries;
  const directory = await source.bytes(place.start, place.start + place.sizeBytes);
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const name = directory.toString("latin1", at + 46, at + 46 + nameBytes);
    entries.set(name.toLowerCase(), {
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function findDirectory(source: ByteSource): Promise<{ start: number; sizeBytes: number } | undefined> {
  // The end record is 22 bytes and a comment of at most 65535.
  const tailStart = Math.max(0, source.sizeBytes - 22 - 65_535);
  const tail = await source.bytes(tailStart, source.sizeBytes);
  const end = tail.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end === -1 || end + 22 > tail.length) return undefined;
  const start = tail.readUInt32LE(end + 16);
  if (start !== 0xffffffff) return { start, sizeBytes: tail.readUInt32LE(end + 12) };
  // ZIP64, which streaming producers also use for small files: a locator before the end record points to the real one.
  if (end < 20 || tail.readUInt32LE(end - 20) !== 0x07064b50) return undefined;
  const recordStart = Number(tail.readBigUInt64LE(end - 12));
  const record = await source.bytes(recordStart, recordStart + 56);
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) return undefined;
  return { start: Number(record.readBigUInt64LE(48)), sizeBytes: Number(record.readBigUInt64LE(40)) };
}

async function readEntry(source: ByteSource, entry: Entry): Promise<string | undefined> {
  const header = await source.bytes(entry.headerOffset, entry.headerOffset + 30);
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) return undefined;
  const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await source.bytes(start, start + Math.min(entry.compressedBytes, maxContentTypesBytes));
  try {
    const bytes = entry.method === 0 ? packed : await inflate(packed, { maxOutputLength: maxContentTypesBytes });
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
  } catch {
    // Damaged, encrypted or a bomb: then the names of the parts decide.
    return undefined;
  }
}
