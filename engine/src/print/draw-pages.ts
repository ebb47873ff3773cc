import { fileURLToPath } from "node:url";
import { runWorker } from "../jail/worker.ts";

/** What draw-pages-worker.ts is asked, and answers: shades of grey in base64; null for a page that cannot be drawn. */
export type DrawRequest = { count: number; longSide: number };
export type DrawAnswer = { pages: ({ width: number; height: number; base64: string } | null)[] };

/** Of a longer document the rest is compared by its words alone, and a comparison says so. */
const maxPages = 60;
const longSide = 360;

export type DrawnPage = { width: number; height: number; pixels: Uint8Array };

/**
 * The pages of a PDF, small and grey, drawn in one process. None where they cannot be drawn: what could be read of the
 * file stays read, and a comparison says that it could not look.
 */
export async function drawPages(options: {
  file: string;
  count: number;
  signal?: AbortSignal | undefined;
}): Promise<{ pictures: (DrawnPage | null)[] }> {
  try {
    const { pages } = await runWorker<DrawAnswer>({
      module: fileURLToPath(new URL("./draw-pages-worker.ts", import.meta.url)),
      request: { count: Math.min(maxPages, options.count), longSide } satisfies DrawRequest,
      inputFile: options.file,
      what: "page",
      timeoutSeconds: 120,
      signal: options.signal,
    });
    return {
      pictures: pages.map((page) => page && { ...page, pixels: Buffer.from(page.base64, "base64") }),
    };
  } catch {
    options.signal?.throwIfAborted();
    return { pictures: [] };
  }
}
