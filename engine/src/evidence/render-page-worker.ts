import { readFile } from "node:fs/promises";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { AnalysisError } from "../analysis-error.ts";
import { serveWorker } from "../serve-worker.ts";
import { encodeRaster, type EncodedRaster, maxRasterSide } from "./raster.ts";
import type { RenderRequest } from "./render-page.ts";

const pointsPerInch = 72;

await serveWorker<RenderRequest, EncodedRaster>(async ({ page: number, dotsPerInch }, { file }) => {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(await readFile(file));
    const page = document.getPage(number - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const longSide = Math.max(originalWidth, originalHeight);
    if (!(longSide > 0)) throw new Error("a page without a size");
    // A poster of two metres would be a raster of a gigabyte at the resolution that suits a letter.
    const scale = Math.min(dotsPerInch / pointsPerInch, maxRasterSide / longSide);
    const { width, height, data } = await page.render({ scale, render: "bitmap", renderFormFields: true });
    return encodeRaster({ width, height, pixels: dropAlpha(data, width * height) });
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
