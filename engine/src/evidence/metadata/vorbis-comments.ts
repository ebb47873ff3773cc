import { type MetadataCollector, parseIso6709 } from "./metadata-collector.ts";

const names: Readonly<Record<string, string>> = {
  ARTIST: "author",
  COMPOSER: "author",
  ORGANIZATION: "company",
  COPYRIGHT: "copyright",
  ENCODER: "software",
  TITLE: "title",
  DATE: "created",
  COMMENT: "comment",
  DESCRIPTION: "description",
  LYRICS: "lyrics",
  UNSYNCEDLYRICS: "lyrics",
};

const maxComments = 1_000;

/** FLAC, Vorbis and Opus share one form: a vendor, then `NAME=value` lines, each after its length. */
export function findVorbisComments(head: Buffer, found: MetadataCollector): void {
  const start = startOf(head);
  if (start === null || start + 8 > head.length) return;
  let offset = start + 4 + head.readUInt32LE(start);
  if (offset + 4 > head.length) return;
  const count = Math.min(head.readUInt32LE(offset), maxComments);
  offset += 4;
  for (let index = 0; index < count && offset + 4 <= head.length; index += 1) {
    const length = head.readUInt32LE(offset);
    const line = head.toString("utf8", offset + 4, Math.min(head.length, offset + 4 + length));
    const equals = line.indexOf("=");
    const key = line.slice(0, Math.max(0, equals)).toUpperCase();
    const value = line.slice(equals + 1);
    if (key === "LOCATION") found.addGps(parseIso6709(value), "Vorbis LOCATION");
    else if (/^CHAPTER\d+NAME$/.test(key)) found.add("chapter", value, `Vorbis ${key}`);
    else if (Object.hasOwn(names, key)) found.add(names[key] ?? "", value, `Vorbis ${key}`);
    offset += 4 + length;
  }
}

function startOf(head: Buffer): number | null {
  if (head.toString("latin1", 0, 4) !== "fLaC") {
    const vorbis = head.indexOf("\u0003vorbis", 0, "latin1");
    if (vorbis !== -1) return vorbis + 7;
    const opus = head.indexOf("OpusTags", 0, "latin1");
    return opus === -1 ? null : opus + 8;
  }
  for (let offset = 4; offset + 4 <= head.length;) {
    const type = (head[offset] ?? 0) & 127;
    if (type === 4) return offset + 4;
    offset += 4 + head.readUIntBE(offset + 1, 3);
  }
  return null;
}
