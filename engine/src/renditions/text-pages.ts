import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { draftDocument } from "../evidence/documents/document.ts";
import type { MediaType } from "../evidence/probe/media-type.ts";
import { type DrawPages, runPagesWorker } from "./render-pages.ts";

/** More would be a picture that nobody can scroll through. */
const maxCharacters = 10_000;

/**
 * Draws the text of a document that has no pages of its own to draw (Word, PowerPoint, Excel, text, captions), page by
 * page as issues count them. The file is read in one jailed process and drawn in another, which sees only the text.
 */
export async function textPages(options: {
  file: string;
  mediaType: MediaType;
  folder: string;
  signal: AbortSignal | undefined;
}): Promise<DrawPages> {
  const { mediaType, folder, signal } = options;
  const document = await draftDocument({ file: options.file, mediaType, ...(signal && { signal }) });
  const texts = (document?.pages ?? []).map(({ text }) => cut(text));
  const file = join(folder, "texts.json");
  await writeFile(file, JSON.stringify(texts.length === 0 ? [""] : texts));
  return (request) => runPagesWorker("./text-pages-worker.ts", { request, file, signal });
}

function cut(text: string): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters).toWellFormed()}\n\n[The page goes on: ${text.length} characters in all.]`;
}
