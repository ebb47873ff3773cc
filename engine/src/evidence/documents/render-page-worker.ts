import { readFile } from "node:fs/promises";
import { PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";
import { AnalysisError } from "../../analysis-error.ts";
import { serveWorker } from "../../jail/serve-worker.ts";
import { hideText } from "./hide-text.ts";
import { encodeRaster, maxRasterSide, type Raster } from "../pixels/raster.ts";
import type { RenderAnswer, RenderRequest } from "./render-page.ts";

const pointsPerInch = 72;

await serveWorker<RenderRequest, RenderAnswer>(async (request, { file }) => {
  const { page: number, dotsPerInch, jpegLongSide } = request;
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(await readFile(file));
    const page = document.getPage(number - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const longSide = Math.max(originalWidth, originalHeight);
    if (!(longSide > 0)) throw new Error("a page without a size");
    // A poster of two metres would be a raster of a gigabyte at the resolution that suits a letter.
    const scale = Math.min(dotsPerInch / pointsPerInch, (jpegLongSide ?? maxRasterSide) / longSide);
    const raster = await draw(page, scale);
    if (jpegLongSide !== undefined) return { jpegBase64: await encodeJpeg(raster) };
    if (request.withoutText !== true) return { raster: encodeRaster(raster) };
    // Drawing closes the page.
    const again = document.getPage(number - 1);
    hideText(again);
    return { raster: encodeRaster(raster), withoutText: encodeRaster(await draw(again, scale)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/password|security/i.test(reason)) {
      throw new AnalysisError("encrypted_document", "The PDF is locked with a password. Send a copy without one.");
    }
    throw new AnalysisError("corrupt_media", `Page ${number} of the PDF cannot be drawn. Export it again.`, {
      cause: error,
    });
  }
});

async function draw(page: PDFiumPage, scale: number): Promise<Raster> {
  const { width, height, data } = await page.render({ scale, render: "bitmap", renderFormFields: true });
  return { width, height, pixels: dropAlpha(data, width * height) };
}

async function encodeJpeg({ width, height, pixels }: Raster): Promise<string> {
  // Loaded late: a page that is read for its text never needs it.
  const { default: sharp } = await import("sharp");
  return (
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer()
  ).toString("base64");
}

/** The library hands out red, green, blue and alpha over white already. */
function dropAlpha(data: Uint8Array, count: number): Uint8Array {
  const pixels = new Uint8Array(count * 3);
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += 3) {
    pixels[to] = data[from] ?? 0;
    pixels[to + 1] = data[from + 1] ?? 0;
    pixels[to + 2] = data[from + 2] ?? 0;
  }
  return pixels;
}
