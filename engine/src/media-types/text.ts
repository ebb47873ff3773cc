import { isUtf8 } from "node:buffer";
import type { ByteSource } from "./byte-source.ts";
import type { Format } from "./media-types.ts";

// Text up to here is read whole; of a longer one, this much in windows spread evenly over it.
const maxSampleBytes = 1024 * 1024;
const windowBytes = 128 * 1024;

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

// Tab, line feed, vertical tab, form feed and carriage return are layout; SUB ends files that come from DOS.
const layoutCharacters: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 26]);
const isControl = Array.from({ length: 128 }, (_, code) => code === 127 || (code < 32 && !layoutCharacters.has(code)));

const vttSignature = /^WEBVTT(?:[ \t\r\n]|$)/u;

const timestamp = "\\d{1,3}:\\d{1,2}:\\d{1,2}(?:[,.]\\d{1,3})?";
const firstCue = new RegExp(`^\\s*\\d+[ \\t]*(?:\\r\\n?|\\n)\\s*${timestamp}[ \\t]*-->[ \\t]*${timestamp}`, "u");

// ffmpeg and its like open the files and addresses that a playlist names, whatever the playlist is called.
const playlistStart = /^\s*(?:#EXTM3U|ffconcat version)/iu;

/** Which kind of text this is, or undefined when it is not text. */
export async function recogniseText(source: ByteSource): Promise<Format | undefined> {
  const text = await readText(source);
  if (text === undefined) return undefined;
  if (text.encoding === "windows-1252") return firstCue.test(text.start) ? "legacy-srt" : "legacy-text";
  if (vttSignature.test(text.start)) return "vtt";
  return firstCue.test(text.start) ? "srt" : "text";
}

/** True for an HLS playlist or a concat script in any of the encodings that text may have. */
export function beginsLikePlaylist(head: Buffer): boolean {
  const start = head.subarray(0, 4096);
  const encoding = markedEncoding(start) ?? "windows-1252";
  return playlistStart.test(new TextDecoder(encoding).decode(start).replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/u, ""));
}

async function readText(source: ByteSource): Promise<{ encoding: Encoding; start: string } | undefined> {
  const marked = markedEncoding(source.head);
  // The head alone settles nearly every file that is no text, without reading the rest.
  if (!isText(source.head, marked)) return undefined;
  const windows = await sampleWindows(source);
  if (!windows.every((window) => isText(window.bytes, marked))) return undefined;
  const encoding = marked ?? (windows.every(isUtf8Window) ? "utf-8" : "windows-1252");
  return { encoding, start: new TextDecoder(encoding).decode(source.head) };
}

function markedEncoding(head: Buffer): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

function isText(bytes: Buffer, marked: Encoding | undefined): boolean {
  // UTF-8 and the 8-bit encodings share their control characters, so that a window need not know which it is.
  const codes = marked === undefined ? bytes : utf16Codes(bytes, marked);
  // A plain loop: it runs over a MiB on the thread that serves requests.
  for (let at = 0; at < codes.length; at++) {
    if (isControl[codes[at] ?? 0] === true) return false;
  }
  return true;
}

function utf16Codes(bytes: Buffer, marked: Encoding): Uint16Array {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (marked === "utf-16be") even.swap16();
  return new Uint16Array(new Uint8Array(even).buffer);
}

type Window = { bytes: Buffer; isStart: boolean; isEnd: boolean };

async function sampleWindows(source: ByteSource): Promise<Window[]> {
  if (source.sizeBytes <= maxSampleBytes) {
    const bytes = await source.bytes(0, source.sizeBytes);
    return [{ bytes, isStart: true, isEnd: true }];
  }
  const count = maxSampleBytes / windowBytes;
  const lastStart = source.sizeBytes - windowBytes;
  // Even offsets, or UTF-16 would be read across its characters.
  const starts = Array.from({ length: count }, (_, index) => Math.floor((lastStart * index) / (count - 1) / 2) * 2);
  return await Promise.all(
    starts.map(async (start, index) => ({
      bytes: await source.bytes(start, start + windowBytes),
      isStart: index === 0,
      isEnd: start + windowBytes >= source.sizeBytes,
    })),
  );
}

/** A window may begin and end in the middle of a character, of which at most three bytes are then here. */
function isUtf8Window({ bytes, isStart, isEnd }: Window): boolean {
  let start = 0;
  let end = bytes.length;
  if (!isStart) {
    while (start < 3 && isContinuation(bytes[start])) start++;
  }
  if (!isEnd) {
    while (end > bytes.length - 3 && isContinuation(bytes[end - 1])) end--;
    if ((bytes[end - 1] ?? 0) >= 0xc0) end--;
  }
  return isUtf8(bytes.subarray(start, end));
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
