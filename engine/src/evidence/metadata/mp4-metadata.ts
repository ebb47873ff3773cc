import type { MediaFile } from "./media-file.ts";
import { type MetadataCollector, parseIso6709 } from "./metadata-collector.ts";
import { readXmp } from "./xmp-metadata.ts";

/** By the four letters of iTunes and QuickTime, and by the last word of QuickTime's long keys. */
const names: Readonly<Record<string, string>> = {
  "\u00a9ART": "author",
  "\u00a9aut": "author",
  "\u00a9wrt": "author",
  auth: "author",
  artist: "author",
  author: "author",
  "\u00a9cpy": "copyright",
  cprt: "copyright",
  copyright: "copyright",
  "\u00a9swr": "software",
  "\u00a9too": "software",
  software: "software",
  "\u00a9mak": "camera make",
  make: "camera make",
  "\u00a9mod": "camera",
  model: "camera",
  "\u00a9day": "created",
  creationdate: "created",
  "\u00a9nam": "title",
  title: "title",
  "\u00a9cmt": "comment",
  comment: "comment",
  "\u00a9des": "description",
  desc: "description",
  ldes: "description",
  description: "description",
  "\u00a9lyr": "lyrics",
  lyrics: "lyrics",
};

const containers = new Set(["moov", "udta", "ilst"]);
const xmpUuid = "be7acfcb97a942e89c71999491e3afac";
const maxBoxes = 20_000;
const maxValueBytes = 64 * 1024;

type Box = { type: string; start: number; end: number };

/** MP4 and QuickTime: the boxes that describe, found by walking headers only. */
export async function readMp4Metadata(file: MediaFile, found: MetadataCollector): Promise<void> {
  const keys: string[] = [];
  let visited = 0;
  const walk = async (start: number, end: number, parent: string): Promise<void> => {
    for (let offset = start; offset + 8 <= end && visited < maxBoxes;) {
      visited += 1;
      const box = await readBox(file, offset, end);
      if (box === null) return;
      if (parent === "ilst") await readItem(file, box, keys, found);
      else if (containers.has(box.type)) await walk(box.start, box.end, box.type);
      else if (box.type === "meta") await walk(await skipVersion(file, box), box.end, "meta");
      else if (box.type === "keys" && parent === "meta") keys.splice(0, keys.length, ...(await readKeys(file, box)));
      else if (parent === "udta") await readUserData(file, box, found);
      else if (box.type === "uuid") await readUuid(file, box, found);
      offset = box.end;
    }
  };
  await walk(0, file.sizeBytes, "");
}

async function readBox(file: MediaFile, offset: number, limit: number): Promise<Box | null> {
  const header = await file.read(offset, 16);
  if (header.length < 8) return null;
  const type = header.toString("latin1", 4, 8);
  const short = header.readUInt32BE(0);
  if (short === 1 && header.length < 16) return null;
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? limit - offset : short;
  const start = offset + (short === 1 ? 16 : 8);
  const end = offset + size;
  // A box that ends before its own header would be walked for ever.
  return end < start || end > limit ? null : { type, start, end };
}

/** ISO files have a version here, QuickTime's have none: there a child's type stands in its place. */
async function skipVersion(file: MediaFile, box: Box): Promise<number> {
  const head = await file.read(box.start, 8);
  return head.toString("latin1", 4, 8) === "hdlr" ? box.start : box.start + 4;
}

async function readKeys(file: MediaFile, box: Box): Promise<string[]> {
  const bytes = await readValue(file, box);
  const keys: string[] = [];
  for (let offset = 8; offset + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(offset);
    if (size < 8) break;
    keys.push(bytes.toString("utf8", offset + 8, offset + size));
    offset += size;
  }
  return keys;
}

/** An entry of a list: named by its letters, or by its number among the keys. */
async function readItem(file: MediaFile, box: Box, keys: readonly string[], found: MetadataCollector): Promise<void> {
  const bytes = await readValue(file, box);
  if (bytes.toString("latin1", 4, 8) !== "data" || bytes.length < 16) return;
  const number = Buffer.from(box.type, "latin1").readUInt32BE(0);
  take(keys[number - 1] ?? box.type, bytes.toString("utf8", 16, Math.min(bytes.length, bytes.readUInt32BE(0))), found);
}

async function readUserData(file: MediaFile, box: Box, found: MetadataCollector): Promise<void> {
  const bytes = await readValue(file, box);
  if (box.type === "chpl") {
    for (const title of readChapters(bytes)) found.add("chapter", title, "MP4 chpl");
    return;
  }
  if (box.type === "loci") {
    found.addGps(readLoci(bytes), "3GPP loci");
    return;
  }
  // Text, preceded by its length and language.
  if (box.type.startsWith("\u00a9") && bytes.length > 4) {
    take(box.type, bytes.toString("utf8", 4, 4 + bytes.readUInt16BE(0)), found);
  } else if (box.type in names && bytes.length > 6) take(box.type, bytes.toString("utf8", 6), found);
}

function take(key: string, value: string, found: MetadataCollector): void {
  if (key === "\u00a9xyz" || key.endsWith("location.ISO6709")) {
    found.addGps(parseIso6709(value), key.length === 4 ? "MP4 xyz" : "QuickTime location");
    return;
  }
  const name = names[key] ?? names[key.split(".").at(-1) ?? ""];
  if (name !== undefined) found.add(name, value, `MP4 ${key.replace("\u00a9", "")}`);
}

/** Nero's list: a time of eight bytes, then a title after its length. */
function readChapters(bytes: Buffer): string[] {
  const titles: string[] = [];
  let offset = bytes[0] === 0 ? 4 : 8;
  const count = bytes[offset] ?? 0;
  offset += 1;
  for (let index = 0; index < count && offset + 9 <= bytes.length; index += 1) {
    const end = offset + 9 + (bytes[offset + 8] ?? 0);
    titles.push(bytes.toString("utf8", offset + 9, end));
    offset = end;
  }
  return titles;
}

/** 16.16 fixed point: longitude first, after a name and a role. */
function readLoci(bytes: Buffer): { latitude: number; longitude: number } | null {
  const nameEnd = bytes.indexOf(0, 6);
  if (nameEnd === -1 || nameEnd + 10 > bytes.length) return null;
  return { longitude: bytes.readInt32BE(nameEnd + 2) / 65536, latitude: bytes.readInt32BE(nameEnd + 6) / 65536 };
}

async function readUuid(file: MediaFile, box: Box, found: MetadataCollector): Promise<void> {
  const id = await file.read(box.start, 16);
  if (id.toString("hex") !== xmpUuid) return;
  const packet = await file.read(box.start + 16, Math.min(box.end - box.start - 16, 4 * 2 ** 20));
  readXmp(packet.toString("utf8"), found);
}

function readValue(file: MediaFile, box: Box): Promise<Buffer> {
  return file.read(box.start, Math.min(box.end - box.start, maxValueBytes));
}
