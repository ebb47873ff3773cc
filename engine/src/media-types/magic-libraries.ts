import { fileTypeFromBuffer } from "file-type";
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
