import { open, readFile } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { AnalysisError } from "../../analysis-error.ts";
import { serveWorker } from "../../jail/serve-worker.ts";
import type { ImageEvidence } from "../evidence.ts";
import { checkImageSize, imageLimits } from "./image-limits.ts";
import type { ImageAnswer, ImageRequest } from "./image.ts";
import { countApngFrames } from "./png-chunks.ts";
import { encodeRaster, maxRasterSide, type Raster } from "../pixels/raster.ts";
import { readBmp } from "./read-bmp.ts";
import { readHeic } from "./read-heic.ts";
import { allowLoaders } from "./sharp-loaders.ts";

/** Browsers show a frame that asks for no time at all for this long. */
const leastDelayMilliseconds = 100;

allowLoaders();

await serveWorker<ImageRequest, ImageAnswer>(async (request, { file }) => {
  try {
    const { image, picture, isCmyk } = await openPicture(file, request);
    const { longSide, top, rows } = request.raster ?? {
      longSide: request.webpLongSide ?? maxRasterSide,
      top: 0,
      rows: 0,
    };
    // Even without need for the raster: only decoding shows that nothing is missing.
    const { data, info } = await picture
      .autoOrient()
      .resize({ width: longSide, height: longSide, fit: "inside", withoutEnlargement: true })
      .flatten({ background: request.raster?.isOnBlack === true ? "#000000" : "#ffffff" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const pixels = info.channels === 3 ? data : widen(data, info.channels);
    const { width, height } = info;
    const bottom = Math.min(height, top + rows);
    const wanted = pixels.subarray(top * width * 3, bottom * width * 3);
    return {
      image,
      raster: request.raster === null ? null : encodeRaster({ width, height: bottom - top, pixels: wanted }),
      height,
      jpegBase64: await asJpeg(request, { width, height, pixels }),
      webp: request.webpLongSide === undefined ? null : await asWebp({ width, height, pixels }),
      isCmyk,
    };
  } catch (error) {
    if (error instanceof AnalysisError) throw error;
    throw new AnalysisError(
      "corrupt_media",
      "The picture cannot be read: it is damaged or incomplete. Export it again.",
      { cause: error },
    );
  }
});

async function asJpeg({ jpegLongSide: side }: ImageRequest, { width, height, pixels }: Raster): Promise<string | null> {
  if (side === undefined) return null;
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  const jpeg = picture.resize({ width: side, height: side, fit: "inside", withoutEnlargement: true }).jpeg();
  return (await jpeg.toBuffer()).toString("base64");
}

async function asWebp({ width, height, pixels }: Raster): Promise<ImageAnswer["webp"]> {
  const webp = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .webp({ quality: 86 })
    .toBuffer();
  return { base64: webp.toString("base64"), width, height };
}

async function openPicture(
  file: string,
  request: ImageRequest,
): Promise<{ image: ImageEvidence; picture: Sharp; isCmyk: boolean }> {
  if (request.contentType === "image/bmp" || request.contentType === "image/heic") {
    const decode = request.contentType === "image/bmp" ? readBmp : readHeic;
    const bytes = await readFile(file);
    const {
      width,
      height,
      channels,
      pixels,
      hasAlpha,
      frameCount = 1,
    } = await decode(bytes, refuseLarge, request.frame);
    return {
      image: { width, height, frameCount, hasAlpha, orientation: null, durationSeconds: null },
      picture: sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false }),
      isCmyk: false,
    };
  }
  const header = await sharp(file, { limitInputPixels: false, page: request.frame, pages: 1 }).metadata();
  const [width, height] = [header.width, header.pageHeight ?? header.height];
  checkImageSize({ width, height });
  const { frameCount, durationSeconds } = await readFrames(file, header);
  // The pages of a TIFF and the items of a HEIF are pictures side by side, of which one is read at a time.
  if (header.format !== "tiff" && header.format !== "heif") checkImageSize({ width, height, frameCount });
  const orientation = header.orientation ?? null;
  const isTurned = orientation !== null && orientation >= 5;
  const page = Math.min(request.frame, Math.max(0, (header.pages ?? 1) - 1));
  return {
    image: {
      width: isTurned ? height : width,
      height: isTurned ? width : height,
      frameCount,
      hasAlpha: header.hasAlpha,
      orientation,
      durationSeconds,
    },
    picture: sharp(file, { limitInputPixels: imageLimits.pixels, failOn: "error", ...(page > 0 ? { page } : {}) }),
    isCmyk: header.space === "cmyk",
  };
}

async function readFrames(
  file: string,
  header: Metadata,
): Promise<{ frameCount: number; durationSeconds: number | null }> {
  // An animation says so before its first pixels: a large still need not be held for it.
  if (header.format === "png") {
    const isAnimated = (await readStart(file, 2 ** 20)).includes("acTL");
    return isAnimated ? countApngFrames(await readFile(file)) : { frameCount: 1, durationSeconds: null };
  }
  const frameCount = header.pages ?? 1;
  const delays = header.delay;
  if (frameCount < 2 || delays === undefined) return { frameCount, durationSeconds: null };
  const total = delays.reduce((sum, delay) => sum + (delay || leastDelayMilliseconds), 0);
  return { frameCount, durationSeconds: total / 1000 };
}

async function readStart(file: string, length: number): Promise<Buffer> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

function refuseLarge(pixels: number, limit: number): void {
  if (pixels <= limit) return;
  const millions = (count: number) => Math.round(count / 1e6).toLocaleString("en-GB");
  throw new AnalysisError(
    "unsupported_media",
    `The picture has ${millions(pixels)} million pixels; at most ${millions(limit)} million are read. Send a smaller export.`,
  );
}

function widen(gray: Uint8Array, channels: number): Uint8Array {
  const pixels = new Uint8Array((gray.length / channels) * 3);
  for (let from = 0, to = 0; from < gray.length; from += channels, to += 3) pixels.fill(gray[from] ?? 0, to, to + 3);
  return pixels;
}
