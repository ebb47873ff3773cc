import ExifReader from "exifreader";
import type { MetadataCollector } from "./metadata-collector.ts";

const exifNames: Readonly<Record<string, string>> = {
  Make: "camera make",
  Model: "camera",
  LensModel: "lens",
  BodySerialNumber: "serial number",
  CameraSerialNumber: "serial number",
  LensSerialNumber: "lens serial number",
  ImageUniqueID: "image id",
  Artist: "author",
  XPAuthor: "author",
  CameraOwnerName: "owner",
  Copyright: "copyright",
  Software: "software",
  HostComputer: "device",
  DateTime: "modified",
  DateTimeOriginal: "created",
  ImageDescription: "description",
  UserComment: "comment",
  XPComment: "comment",
  XPTitle: "title",
  XPSubject: "description",
  GPSDateStamp: "location date",
};

const iptcNames: Readonly<Record<string, string>> = {
  "By-line": "author",
  "By-line Title": "author's position",
  Credit: "credit",
  "Copyright Notice": "copyright",
  "Originating Program": "software",
  "Caption/Abstract": "description",
  Headline: "headline",
  "Writer/Editor": "author",
  City: "place",
  "Sub-location": "place",
  "Country/Primary Location Name": "place",
};

type Tag = { value?: unknown; description?: unknown };

/** EXIF and IPTC of any picture. Hostile tags make the library throw: then the picture has none. */
export function readExif(bytes: Buffer, found: MetadataCollector): void {
  let groups: { exif?: object; iptc?: object };
  try {
    groups = ExifReader.load(bytes, { expanded: true, includeTags: { exif: true, iptc: true } });
  } catch {
    return;
  }
  const exif = (groups.exif ?? {}) as Record<string, Tag | undefined>;
  for (const [tag, name] of Object.entries(exifNames)) found.add(name, textOf(exif[tag]), `EXIF ${tag}`);
  const iptc = (groups.iptc ?? {}) as Record<string, Tag | Tag[] | undefined>;
  for (const [tag, name] of Object.entries(iptcNames)) {
    for (const value of [iptc[tag]].flat()) found.add(name, textOf(value), `IPTC ${tag}`);
  }
  const latitude = readCoordinate(exif["GPSLatitude"], exif["GPSLatitudeRef"], "S");
  const longitude = readCoordinate(exif["GPSLongitude"], exif["GPSLongitudeRef"], "W");
  if (latitude !== null && longitude !== null) found.addGps({ latitude, longitude }, "EXIF GPS");
}

function textOf(tag: Tag | undefined): string {
  if (typeof tag?.description === "string" && tag.description !== "[Unicode encoded text]") return tag.description;
  const value = Array.isArray(tag?.value) ? (tag.value as unknown[])[0] : tag?.value;
  return typeof value === "string" ? value : "";
}

/**
 * Degrees, minutes and seconds as fractions. Without its hemisphere a coordinate is no place, and a camera without a
 * fix writes 0/0: both are left out rather than put in the ocean.
 */
function readCoordinate(tag: Tag | undefined, reference: Tag | undefined, negative: "S" | "W"): number | null {
  const parts = Array.isArray(tag?.value) ? (tag.value as unknown[]) : [];
  const letter = String(Array.isArray(reference?.value) ? (reference.value as unknown[])[0] : reference?.value)
    .trim()
    .slice(0, 1)
    .toUpperCase();
  if (parts.length === 0 || !["N", "S", "E", "W"].includes(letter)) return null;
  let degrees = 0;
  for (const [index, part] of parts.slice(0, 3).entries()) {
    const value = readFraction(part);
    // Minutes or seconds of 0/0 are how some cameras say none.
    if (value === null && index === 0) return null;
    degrees += (value ?? 0) / 60 ** index;
  }
  return letter === negative ? -degrees : degrees;
}

function readFraction(part: unknown): number | null {
  const [numerator, denominator] = Array.isArray(part) ? part.map(Number) : [Number(part), 1];
  const value = (numerator ?? NaN) / (denominator ?? NaN);
  return Number.isFinite(value) ? value : null;
}
