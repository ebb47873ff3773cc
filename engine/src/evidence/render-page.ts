import { fileURLToPath } from "node:url";
import { runWorker } from "../worker.ts";
import { blameDocument } from "./document.ts";
import { decodeRaster, type EncodedRaster, type Raster } from "./raster.ts";

/** What render-page-worker.ts is asked. */
export type RenderRequest = { page: number; dotsPerInch: number };

/** Draws one page of a PDF, as printed, for a page that `needsReading`. */
export async function renderPage(options: {
  file: string;
  /** From 1. */
  page: number;
  dotsPerInch?: number;
  signal?: AbortSignal | undefined;
}): Promise<Raster> {
  const encoded = await runWorker<EncodedRaster>({
    module: fileURLToPath(new URL("./render-page-worker.ts", import.meta.url)),
    request: { page: options.page, dotsPerInch: options.dotsPerInch ?? 150 } satisfies RenderRequest,
    inputFile: options.file,
    what: "page",
    timeoutSeconds: 60,
    signal: options.signal,
  }).catch((error: unknown) => {
    throw blameDocument(error);
  });
  return decodeRaster(encoded);
}
