import sharp from "sharp";
import { readExif } from "./exif-metadata.ts";
import type { MetadataCollector } from "./metadata-collector.ts";
import { readPngTexts } from "../images/png-chunks.ts";
import { allowLoaders } from "../images/sharp-loaders.ts";
import { findXmp, readXmp } from "./xmp-metadata.ts";

const xmpKeyword = "XML:com.adobe.xmp";

const pngNames: Readonly<Record<string, string>> = {
  Author: "author",
  Copyright: "copyright",
  Software: "software",
  Title: "title",
  Description: "description",
  Comment: "comment",
  "Creation Time": "created",
  Source: "device",
  // What image generators write: their settings, the words they were given, the graph they ran.
  parameters: "generator parameters",
  prompt: "generator parameters",
  workflow: "generator parameters",
  Dream: "generator parameters",
  "sd-metadata": "generator parameters",
  invokeai_metadata: "generator parameters",
};

/** EXIF, IPTC, XMP and the text chunks of PNG. */
export async function readImageMetadata(file: string, bytes: Buffer, found: MetadataCollector): Promise<void> {
  readExif(bytes, found);
  const isPng = bytes.subarray(1, 4).toString("latin1") === "PNG";
  for (const { keyword, text } of isPng ? readPngTexts(bytes) : []) {
    if (keyword === xmpKeyword) readXmp(text, found);
    else if (Object.hasOwn(pngNames, keyword)) found.add(pngNames[keyword] ?? "", text, `PNG ${keyword}`);
  }
  if (hasFilmBehind(bytes)) found.omit("The film behind the picture (a motion photo) was not checked.");
  const packet = (isPng ? null : await readPacket(file)) ?? findXmp(bytes);
  if (packet !== null) readXmp(packet, found);
}

/** Phones put a film of the moment behind the end of a JPEG. */
function hasFilmBehind(bytes: Buffer): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  for (let at = bytes.indexOf("ftyp", 4); at >= 0; at = bytes.indexOf("ftyp", at + 1)) {
    const isAtEnd = bytes[at - 6] === 0xff && bytes[at - 5] === 0xd9;
    if (isAtEnd || bytes.toString("latin1", Math.max(0, at - 20), at - 4) === "MotionPhoto_Data") return true;
  }
  return false;
}

/** By way of libvips, which joins and unpacks it; null where it cannot read the format or finds none. */
async function readPacket(file: string): Promise<string | null> {
  allowLoaders();
  try {
    const { xmp } = await sharp(file, { limitInputPixels: false, pages: 1 }).metadata();
    return xmp === undefined ? null : xmp.toString("utf8").replaceAll("\0", "");
  } catch {
    return null;
  }
}
