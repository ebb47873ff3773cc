import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../analysis-error.ts";
import { runWorker } from "../worker.ts";
import type { ImageEvidence } from "./evidence.ts";
import type { FileGatherOptions } from "./gatherers.ts";
import { imageLimits } from "./image-limits.ts";
import { decodeRaster, type EncodedRaster, type Raster } from "./raster.ts";

/** What image-worker.ts is asked. `frame` counts from 0: a page of a TIFF or a frame of an animation. */
export type ImageRequest = { contentType: string; frame: number; wantsRaster: boolean; jpegLongSide?: number };

/** What it answers. */
export type ImageAnswer = { image: ImageEvidence; raster: EncodedRaster | null; jpegBase64: string | null };

type Options = Pick<FileGatherOptions, "file" | "mediaType"> & { signal?: AbortSignal | undefined };

/** Decodes the picture, or the first frame of one that moves, to see that it is whole. Null for what is no image. */
export async function gatherImage(options: Options): Promise<ImageEvidence | null> {
  if (options.mediaType.category !== "image") return null;
  return (await ask(options, { frame: 0, wantsRaster: false })).image;
}

/** The picture as it is seen, upright and over white, its longer side at most 2,000. For a reader of text. */
export async function readImageRaster(options: Options & { frame?: number }): Promise<Raster> {
  const { raster } = await ask(options, { frame: options.frame ?? 0, wantsRaster: true });
  if (raster === null) throw new Error("The worker answered without the raster that it was asked for.");
  return decodeRaster(raster);
}

/** The picture as it is seen, for people to look at. */
export async function jpegOfImage(options: Options & { longSide: number }): Promise<string | null> {
  return (await ask(options, { frame: 0, wantsRaster: false, jpegLongSide: options.longSide })).jpegBase64;
}

async function ask(options: Options, request: Omit<ImageRequest, "contentType">): Promise<ImageAnswer> {
  if ((await stat(options.file)).size > imageLimits.fileBytes) {
    throw new AnalysisError("unsupported_media", "The picture is larger than 512 MB. Send a smaller export.");
  }
  return runWorker<ImageAnswer>({
    module: fileURLToPath(new URL("./image-worker.ts", import.meta.url)),
    request: { ...request, contentType: options.mediaType.contentType } satisfies ImageRequest,
    inputFile: options.file,
    what: "picture",
    memoryBytes: 1024 * 2 ** 20,
    timeoutSeconds: 60,
    signal: options.signal,
  }).catch((error: unknown) => {
    throw blamePicture(error);
  });
}

/** What takes too much time or memory takes it again on the next try. */
function blamePicture(error: unknown): unknown {
  if (!(error instanceof AnalysisError)) return error;
  const isTooMuch =
    error.errorType === "analyzer_timeout" ||
    (error.errorType === "analyzer_crashed" && error.message.includes("out of memory"));
  if (!isTooMuch) return error;
  return new AnalysisError("unsupported_media", "The picture takes too much to decode. Send a smaller export.", {
    cause: error,
  });
}
