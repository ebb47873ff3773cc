import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../../analysis-error.ts";
import { runWorker } from "../../jail/worker.ts";
import type { ImageEvidence } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { imageLimits } from "./image-limits.ts";
import { decodeRaster, type EncodedRaster, maxRasterSide, type Raster } from "../pixels/raster.ts";

/** What image-worker.ts is asked. `frame` counts from 0: a page of a TIFF or a frame of an animation. */
export type ImageRequest = {
  contentType: string;
  frame: number;
  raster: RasterRequest | null;
  jpegLongSide?: number;
  webpLongSide?: number;
};

/** `isOnBlack`: what is transparent shows black instead of white. The picture in a size whose longer side is at most that, and of it these rows or as many of them as there are. */
export type RasterRequest = { longSide: number; top: number; rows: number; isOnBlack?: boolean };

/** What it answers. `height`: of the picture that the rows are from. */
export type ImageAnswer = {
  image: ImageEvidence;
  raster: EncodedRaster | null;
  height: number;
  jpegBase64: string | null;
  webp: { base64: string; width: number; height: number } | null;
  isCmyk: boolean;
};

type Options = Pick<FileGatherOptions, "file" | "mediaType"> & { signal?: AbortSignal | undefined };

/** Decodes the picture, or the first frame of one that moves, to see that it is whole. Null when the file is not an image. */
export async function gatherImage(options: Options): Promise<ImageEvidence | null> {
  if (options.mediaType.category !== "image") return null;
  return (await ask(options, { frame: 0, raster: null })).image;
}

/** The picture as it is seen, upright and over white, its longer side at most 2,000. For a reader of text. */
export async function readImageRaster(options: Options & { frame?: number }): Promise<Raster> {
  return (await readImageRows({ ...options, longSide: maxRasterSide, top: 0, rows: maxRasterSide })).raster;
}

/** Some rows of the same picture: one that is too large to be held is read piece by piece. */
export async function readImageRows(
  options: Options & RasterRequest & { frame?: number },
): Promise<{ raster: Raster; height: number; image: ImageEvidence }> {
  const { longSide, top, rows, isOnBlack = false } = options;
  const answer = await ask(options, { frame: options.frame ?? 0, raster: { longSide, top, rows, isOnBlack } });
  if (answer.raster === null) throw new Error("The worker answered without the raster that it was asked for.");
  return { raster: decodeRaster(answer.raster), height: answer.height, image: answer.image };
}

/** The picture as it is seen, for people to look at. */
export async function jpegOfImage(options: Options & { longSide: number }): Promise<string | null> {
  return (await ask(options, { frame: 0, raster: null, jpegLongSide: options.longSide })).jpegBase64;
}

/** For a browser: a WebP of that size at most, and a smaller JPEG. */
export async function picturesForWeb(options: Options & { longSide: number; posterLongSide: number }) {
  const { longSide: webpLongSide, posterLongSide: jpegLongSide } = options;
  const { webp, jpegBase64, isCmyk } = await ask(options, { frame: 0, raster: null, webpLongSide, jpegLongSide });
  if (webp === null || jpegBase64 === null) throw new Error("The worker answered without the pictures.");
  return { webp, jpegBase64, isCmyk };
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
  return new AnalysisError(
    "unsupported_media",
    "The image needs too much memory or time to decode. Send a smaller export.",
    {
      cause: error,
    },
  );
}
