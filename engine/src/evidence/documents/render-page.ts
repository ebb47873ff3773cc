import { fileURLToPath } from "node:url";
import { runWorker } from "../../jail/worker.ts";
import { asDocumentError } from "./document.ts";
import { decodeRaster, type EncodedRaster, type Raster } from "../pixels/raster.ts";

/** What render-page-worker.ts is asked. */
export type RenderRequest = { page: number; dotsPerInch: number; jpegLongSide?: number; withoutText?: boolean };

/** What it answers: one or the other. `withoutText` only where it is required. */
export type RenderAnswer = { raster: EncodedRaster; withoutText?: EncodedRaster } | { jpegBase64: string };

/** A page as it is seen, and the same page without its own text: the difference is what its text draws. */
export type PagePictures = { whole: Raster; withoutText: Raster };

/** Draws one page of a PDF, as printed, for a page that `needsReading`. */
export async function renderPage(options: {
  file: string;
  /** From 1. */
  page: number;
  dotsPerInch?: number;
  signal?: AbortSignal | undefined;
}): Promise<Raster> {
  const answer = await ask(options, { page: options.page, dotsPerInch: options.dotsPerInch ?? 150 });
  if ("raster" in answer) return decodeRaster(answer.raster);
  throw new Error("The worker answered without the raster that it was asked for.");
}

/** Draws one page twice, with its own text and without, to tell what the text leaves to be seen. */
export async function renderPageTwice(options: {
  file: string;
  page: number;
  signal?: AbortSignal | undefined;
}): Promise<PagePictures> {
  const answer = await ask(options, { page: options.page, dotsPerInch: 200, withoutText: true });
  if (!("raster" in answer) || answer.withoutText === undefined) {
    throw new Error("The worker answered without the rasters that it was asked for.");
  }
  return { whole: decodeRaster(answer.raster), withoutText: decodeRaster(answer.withoutText) };
}

/** The same for people to look at. */
export async function jpegOfPage(options: {
  file: string;
  page: number;
  longSide: number;
  signal?: AbortSignal | undefined;
}): Promise<string | null> {
  const { page, longSide: jpegLongSide } = options;
  const answer = await ask(options, { page, dotsPerInch: 150, jpegLongSide });
  return "jpegBase64" in answer ? answer.jpegBase64 : null;
}

function ask(
  options: { file: string; signal?: AbortSignal | undefined },
  request: RenderRequest,
): Promise<RenderAnswer> {
  return runWorker<RenderAnswer>({
    module: fileURLToPath(new URL("./render-page-worker.ts", import.meta.url)),
    request,
    inputFile: options.file,
    what: "page",
    timeoutSeconds: 60,
    signal: options.signal,
  }).catch((error: unknown) => {
    throw asDocumentError(error);
  });
}
