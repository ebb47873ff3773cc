import { open } from "node:fs/promises";
import sharp from "sharp";
import { AnalysisError } from "../../analysis-error.ts";
import { serveWorker } from "../../jail/serve-worker.ts";
import type { ImageHeader } from "./probe-image.ts";

/** Browsers show a frame that asks for no time at all for this long. */
const leastDelayMilliseconds = 100;
const maxChunks = 100_000;

await serveWorker<{ contentType: string }, ImageHeader>(async ({ contentType }, { file }) => {
  if (contentType === "image/bmp") return readBmp(await readStart(file, 64));
  try {
    const header = await sharp(file, { limitInputPixels: false }).metadata();
    const isPng = header.format === "png";
    const frameCount = isPng ? await countPngFrames(file) : (header.pages ?? 1);
    return {
      format: header.format === "heif" ? (header.compression === "av1" ? "avif" : "heic") : header.format,
      width: header.width,
      height: header.pageHeight ?? header.height,
      // The pages of a TIFF and the items of a HEIF are pictures side by side, not one that moves.
      frameCount: header.format === "tiff" || header.format === "heif" ? 1 : frameCount,
      delays: header.format === "webp" ? (header.delay?.map((delay) => delay || leastDelayMilliseconds) ?? null) : null,
      isDemuxable: isPng || header.format === "gif",
    };
  } catch (error) {
    const isSequence = (await readStart(file, 12)).toString("latin1", 8) === "avis";
    if (isSequence) {
      throw new AnalysisError("unsupported_media", "Animated AVIF cannot be read. Send it as WebP, GIF or a video.", {
        cause: error,
      });
    }
    throw new AnalysisError(
      "corrupt_media",
      "The picture cannot be read: it is damaged or incomplete. Export it again.",
      {
        cause: error,
      },
    );
  }
});

async function readStart(file: string, length: number): Promise<Buffer> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

/** sharp cannot read BMP; its header is simple. A height below zero means that rows start at the top. */
function readBmp(bytes: Buffer): ImageHeader {
  const isOld = bytes.length >= 26 && bytes.readUInt32LE(14) === 12;
  if (bytes.length < 26) throw new AnalysisError("corrupt_media", "The picture is cut off. Export it again.");
  const width = isOld ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const height = isOld ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22));
  if (width <= 0 || height <= 0) throw new AnalysisError("corrupt_media", "The picture has no size. Export it again.");
  return { format: "bmp", width, height, frameCount: 1, delays: null, isDemuxable: false };
}

/** By the frames that are there: what the `acTL` chunk says may be less, and all of them would be decoded. */
async function countPngFrames(file: string): Promise<number> {
  await using handle = await open(file, "r");
  const head = Buffer.alloc(12);
  let announced = 1;
  let found = 0;
  for (let offset = 8, count = 0; count < maxChunks; count += 1) {
    const { bytesRead } = await handle.read(head, 0, 12, offset);
    const type = head.toString("latin1", 4, 8);
    if (bytesRead < 12 || type === "IEND") break;
    if (type === "acTL") announced = Math.max(1, head.readUInt32BE(8));
    if (type === "fcTL") found += 1;
    // A still says so before its first pixels.
    if (type === "IDAT" && announced === 1 && found === 0) return 1;
    offset += 12 + head.readUInt32BE(0);
  }
  return Math.max(announced, found);
}
