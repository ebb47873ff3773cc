import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asDocumentError } from "../evidence/documents/document.ts";
import { runWorker } from "../jail/worker.ts";
import type { RenditionFile } from "./rendition.ts";

/** What the workers that draw pages are asked, and answer. Pages count from 1. */
export type PagesRequest = { first: number; count: number; longSide: number };
export type PageImages = {
  pageCount: number;
  pages: { page: number; width: number; height: number; jpegBase64: string }[];
};

export const pageLongSide = 1600;
/** More pages than anybody turns; the results name every page all the same. */
const maxPages = 1000;
/** In one process: its start takes as long as a few pages. */
const batch = 16;

export type DrawPages = (request: PagesRequest) => Promise<PageImages>;

/** Every page as a JPEG, a few at a time, so that the first can be read while the last are drawn. */
export async function renderPages(options: {
  draw: DrawPages;
  folder: string;
  has: (page: number) => boolean;
  onCount: (pageCount: number) => void;
  onFile: (rendition: RenditionFile) => void;
  onPoster: (poster: RenditionFile) => Promise<void>;
  onProgress: (fraction: number) => void;
}): Promise<void> {
  let pageCount = 1;
  for (let first = 1; first <= pageCount; first += batch) {
    const isDrawn = Array.from({ length: batch }, (_, index) => first + index).every((page) => options.has(page));
    if (isDrawn && first > 1) continue;
    const drawn = await options.draw({ first, count: batch, longSide: pageLongSide });
    if (first === 1) {
      pageCount = Math.min(maxPages, drawn.pageCount);
      options.onCount(pageCount);
    }
    for (const { page, width, height, jpegBase64 } of drawn.pages) {
      if (page > pageCount) continue;
      const bytes = Buffer.from(jpegBase64, "base64");
      const keep = async (kind: "page" | "poster", number: number): Promise<RenditionFile> => {
        const file = join(options.folder, `${kind}-${number}.jpg`);
        await writeFile(file, bytes);
        return { kind, number, file, contentType: "image/jpeg", detail: { width, height } };
      };
      if (!options.has(page)) options.onFile(await keep("page", page));
      if (page === 1) await options.onPoster(await keep("poster", 0));
    }
    options.onProgress(Math.min(1, (first + batch - 1) / pageCount));
  }
}

/** Draws the pages of a PDF as printed. */
export function pdfPages(file: string, signal: AbortSignal | undefined): DrawPages {
  return (request) => runPagesWorker("./render-pages-worker.ts", { request, file, signal });
}

export function runPagesWorker(
  module: string,
  { request, file, signal }: { request: unknown; file: string; signal: AbortSignal | undefined },
): Promise<PageImages> {
  return runWorker<PageImages>({
    module: fileURLToPath(new URL(module, import.meta.url)),
    request,
    inputFile: file,
    what: "document",
    timeoutSeconds: 300,
    signal,
  }).catch((error: unknown) => {
    throw asDocumentError(error);
  });
}
