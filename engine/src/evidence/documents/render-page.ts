import { fileURLToPath } from "node:url";
import { runWorker } from "../../jail/worker.ts";
import { asDocumentError } from "./document.ts";
import { decodeRaster, type EncodedRaster, type Raster } from "../pixels/raster.ts";

/** What render-page-worker.ts is asked. */
export type RenderRequest = { page: number; dotsPerInch: number; jpegLongSide?: number };

/** What it answers: one or the other. */
export type RenderAnswer = { raster: EncodedRaster } | { jpegBase64: string };

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
