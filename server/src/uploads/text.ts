import { type ByteSource, latin1 } from "./byte-source.ts";
import type { Format } from "./media-types.ts";

// Text up to here is read whole; of a longer one, this much in windows spread evenly over it.
const maxSampleBytes = 1024 * 1024;
const windowBytes = 128 * 1024;

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

// Tab, line feed, vertical tab, form feed and carriage return are layout; SUB ends files that come from DOS.
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u0008\u000E-\u0019\u001B-\u001F\u007F]/u;

const vttSignature = /^WEBVTT(?:[ \t\r\n]|$)/u;

const timestamp = "\\d{1,3}:\\d{1,2}:\\d{1,2}(?:[,.]\\d{1,3})?";
const firstCue = new RegExp(`^\\s*\\d+[ \\t]*(?:\\r\\n?|\\n)\\s*${timestamp}[ \\t]*-->[ \\t]*${timestamp}`, "u");

// ffmpeg and its like open the files and addresses that a playlist names, whatever the playlist is called.
const playlistStart = /^\s*(?:#EXTM3U|ffconcat version)/iu;

/** Which kind of text this is, or undefined when it is none. */
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
  return playlistStart.test(new TextDecoder(encoding).decode(start).replace(/^\uFEFF|^ï»¿/u, ""));
}

async function readText(source: ByteSource): Promise<{ encoding: Encoding; start: string } | undefined> {
  const marked = markedEncoding(source.head);
  // The head alone settles nearly every file that is no text, without reading the rest.
  if (!isText(source.head, marked)) return undefined;
  const windows = await sampleWindows(source);
  if (!windows.every((window) => isText(window.bytes, marked))) return undefined;
  const encoding = marked ?? (windows.every(isUtf8) ? "utf-8" : "windows-1252");
  return { encoding, start: new TextDecoder(encoding).decode(source.head) };
}

function markedEncoding(head: Buffer): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

// UTF-8 and the 8-bit encodings share their control characters, so that a window need not know which it is.
function isText(bytes: Buffer, marked: Encoding | undefined): boolean {
  return !controlCharacter.test(marked === undefined ? latin1(bytes) : new TextDecoder(marked).decode(bytes));
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

function isUtf8({ bytes, isStart, isEnd }: Window): boolean {
  // A window may begin in the middle of a character; its rest is at most three bytes long.
  const boundary = isStart ? 0 : bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(Math.max(0, boundary)), { stream: !isEnd });
    return true;
  } catch {
    return false;
  }
}
