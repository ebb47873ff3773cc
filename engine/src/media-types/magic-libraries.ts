import { fileTypeFromBuffer } from "file-type";
import { WASMagic } from "wasmagic";
import type { Format } from "./media-types.ts";

/**
 * The answers of the two libraries that are taken at their word. What is missing here rests on too few bytes (they call
 * a text that begins with BM a bitmap and FF FB anywhere an MP3) and has a check of our own.
 */
const trustedAnswers: ReadonlyMap<string, Format> = new Map([
  ["audio/flac", "flac"],
  ["audio/x-flac", "flac"],
  ["image/apng", "png"],
  ["image/jpeg", "jpeg"],
  ["image/png", "png"],
  ["image/webp", "webp"],
  ["video/matroska", "matroska"],
  ["video/vnd.avi", "avi"],
  ["video/webm", "webm"],
  ["video/x-matroska", "matroska"],
  ["video/x-msvideo", "avi"],
]);

export function trustAnswer(contentType: string | undefined): Format | undefined {
  return contentType === undefined ? undefined : trustedAnswers.get(contentType);
}

const timeoutMilliseconds = 2000;

/** What file-type says of the first bytes; undefined when it has no answer, fails or takes too long. */
export async function askFileType(head: Buffer): Promise<string | undefined> {
  // It inflates a gzip to look inside, and 64 KiB can hold a bomb.
  if (head[0] === 0x1f && head[1] === 0x8b) return "application/gzip";
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, timeoutMilliseconds, undefined);
  try {
    const answer = await Promise.race([fileTypeFromBuffer(head), tooLong]);
    return answer?.mime;
  } catch {
    // Crafted bytes are the only cause: the buffer is in memory.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

// Its tests of text take a tenth of a second for 8 KiB of one long line, on the one thread that also serves requests.
const libmagicBytes = 1024;

let libmagic: Promise<WASMagic> | undefined;

/** What libmagic says of the first bytes; undefined when it has no answer or fails. */
export async function askLibmagic(head: Buffer): Promise<string | undefined> {
  // 8 MB and 40 ms: made when first needed, which in most processes is never.
  libmagic ??= WASMagic.create();
  try {
    const answer = (await libmagic).detect(head.subarray(0, libmagicBytes));
    return answer === "application/octet-stream" || !answer.includes("/") ? undefined : answer;
  } catch {
    // After a trap the memory of the module can no longer be trusted.
    libmagic = undefined;
    return undefined;
  }
}
