import { open } from "node:fs/promises";
import { extname } from "node:path";
import { MediaTypeRefused } from "@greenlit/engine/media-types/media-type-refused.ts";
import { findMediaTypesByExtension, type MediaType, mediaTypes } from "@greenlit/engine/media-types/media-types.ts";
import { recognise, recogniseHeadBytes } from "@greenlit/engine/media-types/recognise.ts";

/** A file that cannot be checked, and what to do about it. */
export class Uncheckable extends Error {
  readonly errorType: string;
  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/** What the file is by its bytes, as an upload would be recognised; its extension only decides between likely types. */
export async function recogniseFile(path: string): Promise<MediaType> {
  await using file = await openFile(path);
  const { size: sizeBytes } = await file.stat();
  if (sizeBytes === 0) throw new Uncheckable("corrupt_media", "The file is empty.");
  const read = async (start: number, end: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(0, Math.min(recogniseHeadBytes, sizeBytes));
  const byName = findMediaTypesByExtension(extname(path).slice(1).toLowerCase());
  // Nearly everything can be taken for text, so that comes last.
  const others = mediaTypes.toSorted((a, b) => Number(isText(a)) - Number(isText(b)));
  let refusal: MediaTypeRefused | undefined;
  for (const mediaType of [...byName, ...others]) {
    try {
      await recognise({ mediaType, head, sizeBytes, read });
      return mediaType;
    } catch (error) {
      if (!(error instanceof MediaTypeRefused)) throw error;
      refusal ??= error;
    }
  }
  throw new Uncheckable(
    "unsupported_media",
    byName.length > 0 && refusal !== undefined
      ? refusal.message
      : "This file type is not supported. Supported are video, audio, images, PDF, Office documents, text and captions.",
  );
}

async function openFile(path: string) {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "There is no such file." : `The file cannot be read (${code ?? "unknown"}).`;
    throw new Uncheckable("file_unreadable", why);
  }
  throw new Uncheckable("file_unreadable", "It is not a file. Name the files to check.");
}

function isText({ contentType }: MediaType): boolean {
  return contentType.startsWith("text/");
}
