import { type ByteSource, latin1 } from "./byte-source.ts";
import type { Format } from "./media-types.ts";

/** Formats that a few distinctive bytes give away, beyond those that file-type knows well. */
export async function recogniseContainer(source: ByteSource): Promise<Format | undefined> {
  const { head } = source;
  if (isGif(head)) return "gif";
  if (isWav(head)) return "wav";
  if (isBitmap(head)) return "bmp";
  if (await isTiff(source)) return "tiff";
  if (await isOggAudio(source)) return "ogg-audio";
  return await recogniseIsoMedia(source);
}

/** Apart from the others: a PDF can be plain ASCII, and would pass for text. */
export async function isPdf(source: ByteSource): Promise<boolean> {
  const start = latin1(source.head, 0, 1024);
  const at = start.indexOf("%PDF-");
  if (at === -1) return false;
  if (/^(?:\u00EF\u00BB\u00BF)?\s*$/u.test(start.slice(0, at))) return true;
  // Readers take a header after other bytes too, but so would we take a text about PDF: only a real one ends like one.
  const end = await source.bytes(source.sizeBytes - 2048, source.sizeBytes);
  return end.includes("startxref");
}

// A header partition pack. The eighth byte is the version of the registry, and varies.
const mxfKeyStart = Buffer.from("060e2b34020501", "hex");
const mxfKeyEnd = Buffer.from("0d0102010102", "hex");

/** With the run-in of less than 64 KiB that the standard allows before the first key. */
export async function isMxf(source: ByteSource): Promise<boolean> {
  const bytes = await source.bytes(0, 65_535 + 16);
  for (let at = bytes.indexOf(mxfKeyStart); at !== -1; at = bytes.indexOf(mxfKeyStart, at + 1)) {
    if (bytes.subarray(at + 8, at + 14).equals(mxfKeyEnd)) return true;
  }
  return false;
}

function isGif(head: Buffer): boolean {
  // file-type is content with "GIF".
  return /^GIF8[79]a/u.test(latin1(head, 0, 6));
}

function isWav(head: Buffer): boolean {
  return /^(?:RIF[FX]|RF64|BW64)[^]{4}WAVE/u.test(latin1(head, 0, 12));
}

const bitmapHeaderSizes: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

function isBitmap(head: Buffer): boolean {
  // file-type is content with "BM".
  return head.length >= 18 && latin1(head, 0, 2) === "BM" && bitmapHeaderSizes.has(head.readUInt32LE(14));
}

const dngVersionTag = 50_706;

async function isTiff(source: ByteSource): Promise<boolean> {
  const { head } = source;
  const mark = latin1(head, 0, 4);
  if (mark === "II+\0" || mark === "MM\0+") return true;
  const isLittleEndian = mark === "II*\0";
  if ((!isLittleEndian && mark !== "MM\0*") || head.length < 8) return false;
  // Camera raw files are TIFF to the letter, and none of our decoders shows what a camera would.
  if (latin1(head, 8, 10) === "CR") return false;
  const uint16 = (bytes: Buffer, at: number) => (isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const directoryAt = isLittleEndian ? head.readUInt32LE(4) : head.readUInt32BE(4);
  const directory = await source.bytes(directoryAt, directoryAt + 2 + 512 * 12);
  const count = directory.length < 2 ? 0 : uint16(directory, 0);
  for (let at = 2; at + 12 <= directory.length && at < 2 + count * 12; at += 12) {
    if (uint16(directory, at) === dngVersionTag) return false;
  }
  return true;
}

const oggAudioStarts = ["OpusHead", "\u0001vorbis", "\u007FFLAC", "fLaC", "Speex   ", "CELT    ", "PCM     "] as const;
const oggSkeletonStart = "fishead\0";

/** Every stream of an Ogg file is announced on a page of its own at the beginning: all of them must be audio. */
async function isOggAudio(source: ByteSource): Promise<boolean> {
  let at = 0;
  let hasAudio = false;
  for (let page = 0; page < 16; page++) {
    const bytes = await source.bytes(at, at + 27 + 255 + 16);
    if (bytes.length < 28 || latin1(bytes, 0, 4) !== "OggS") return hasAudio;
    const isFirstOfStream = (bytes.readUInt8(5) & 2) !== 0;
    if (!isFirstOfStream) return hasAudio;
    const segments = bytes.subarray(27, 27 + bytes.readUInt8(26));
    const start = latin1(bytes, 27 + segments.length, 27 + segments.length + 16);
    if (oggAudioStarts.some((known) => start.startsWith(known))) hasAudio = true;
    else if (!start.startsWith(oggSkeletonStart)) return false;
    at += 27 + segments.length + segments.reduce((sum, length) => sum + length, 0);
  }
  return hasAudio;
}

const avifBrands: ReadonlySet<string> = new Set(["avif", "avis"]);
const heifBrands: ReadonlySet<string> = new Set(
  "heic heix heim heis hevc hevx hevm hevs mif1 mif2 msf1 miaf".split(" "),
);
const oldQuicktimeBoxes: ReadonlySet<string> = new Set("mdat wide free skip pnot PICT uuid junk".split(" "));

/** MP4, QuickTime, AVIF and HEIF are one container; the brand of the `ftyp` box tells them apart. */
async function recogniseIsoMedia(source: ByteSource): Promise<Format | undefined> {
  let at = 0;
  // Cameras of before 2005 wrote no `ftyp`, and put the `moov` that proves the file behind all of the media data.
  for (let box = 0; box < 8; box++) {
    const start = await source.bytes(at, at + 16);
    if (start.length < 8) return undefined;
    const type = latin1(start, 4, 8);
    const announced = start.readUInt32BE(0);
    if (type === "ftyp") return recogniseBrand(await source.bytes(at + 8, at + Math.min(announced, 4096)));
    if (type === "moov") return "old-quicktime";
    if (!oldQuicktimeBoxes.has(type)) return undefined;
    const sizeBytes = announced === 1 && start.length === 16 ? Number(start.readBigUInt64BE(8)) : announced;
    if (sizeBytes < 8) return undefined;
    at += sizeBytes;
  }
  return undefined;
}

function recogniseBrand(box: Buffer): Format | undefined {
  const major = latin1(box, 0, 4);
  // Printable, or it is the chance of four letters in something else.
  if (!/^[ -~]{3}/u.test(major)) return undefined;
  const compatible = Array.from({ length: Math.floor((box.length - 8) / 4) }, (_, index) =>
    latin1(box, 8 + index * 4, 12 + index * 4),
  );
  if (avifBrands.has(major)) return "avif";
  if (heifBrands.has(major)) return compatible.some((brand) => avifBrands.has(brand)) ? "avif" : "heif";
  // Canon's raw image.
  return major === "crx " ? undefined : "iso-media";
}
