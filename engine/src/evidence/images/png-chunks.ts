import { inflateSync } from "node:zlib";

type PngChunk = { type: string; data: Buffer };

type PngText = { keyword: string; text: string };

const signatureBytes = 8;
const maxChunks = 100_000;
/** A text chunk of a few kilobytes may unpack to gigabytes. */
const maxTextBytes = 2 ** 20;

/** The chunks of a PNG as far as they are whole. */
function* readPngChunks(bytes: Buffer): Generator<PngChunk> {
  let offset = signatureBytes;
  for (let count = 0; count < maxChunks && offset + 12 <= bytes.length; count += 1) {
    const length = bytes.readUInt32BE(offset);
    const type = bytes.toString("latin1", offset + 4, offset + 8);
    const end = offset + 8 + length;
    if (end > bytes.length) return;
    yield { type, data: bytes.subarray(offset + 8, end) };
    if (type === "IEND") return;
    offset = end + 4;
  }
}

/** An animated PNG says how many frames it has in `acTL` and how long each is shown in its `fcTL`. */
export function countApngFrames(bytes: Buffer): { frameCount: number; durationSeconds: number | null } {
  let frameCount = 1;
  let durationSeconds: number | null = null;
  for (const { type, data } of readPngChunks(bytes)) {
    if (type === "IDAT" && durationSeconds === null) break;
    if (type === "acTL" && data.length >= 8) {
      frameCount = Math.max(1, data.readUInt32BE(0));
      durationSeconds = 0;
    } else if (type === "fcTL" && data.length >= 24 && durationSeconds !== null) {
      durationSeconds += data.readUInt16BE(20) / (data.readUInt16BE(22) || 100);
    }
  }
  return { frameCount, durationSeconds: frameCount < 2 ? null : roundMilliseconds(durationSeconds) };
}

function roundMilliseconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000) / 1000;
}

/** Where image generators leave their prompt, and editors XMP. What does not unpack is left out. */
export function readPngTexts(bytes: Buffer): PngText[] {
  const texts: PngText[] = [];
  for (const { type, data } of readPngChunks(bytes)) {
    if (type !== "tEXt" && type !== "zTXt" && type !== "iTXt") continue;
    const end = data.indexOf(0);
    if (end < 1) continue;
    const keyword = data.toString("latin1", 0, end);
    const text = type === "iTXt" ? readInternational(data, end + 1) : readLatin(data, end + 1, type === "zTXt");
    if (text !== null) texts.push({ keyword, text });
  }
  return texts;
}

function readLatin(data: Buffer, start: number, isPacked: boolean): string | null {
  const body = isPacked ? unpack(data.subarray(start + 1)) : data.subarray(start);
  return body === null ? null : body.toString("latin1", 0, maxTextBytes);
}

/** Flag, method, language and translated keyword stand before the text. */
function readInternational(data: Buffer, start: number): string | null {
  const languageEnd = data.indexOf(0, start + 2);
  const keywordEnd = languageEnd === -1 ? -1 : data.indexOf(0, languageEnd + 1);
  if (keywordEnd === -1) return null;
  const rest = data.subarray(keywordEnd + 1);
  const body = data[start] === 1 ? unpack(rest) : rest;
  return body === null ? null : body.toString("utf8", 0, maxTextBytes);
}

function unpack(packed: Buffer): Buffer | null {
  try {
    return inflateSync(packed, { maxOutputLength: maxTextBytes });
  } catch {
    return null;
  }
}
