import { readFile } from "node:fs/promises";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { AnalysisError } from "../analysis-error.ts";
import { serveWorker } from "../jail/serve-worker.ts";
import type { PageImages, PagesRequest } from "./render-pages.ts";

const maxScale = 150 / 72;

await serveWorker<PagesRequest, PageImages>(async ({ first, count, longSide }, { file }) => {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(await readFile(file));
    const pageCount = document.getPageCount();
    const pages: PageImages["pages"] = [];
    for (let number = first; number < first + count && number <= pageCount; number += 1) {
      const page = document.getPage(number - 1);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const side = Math.max(originalWidth, originalHeight);
      if (!(side > 0)) continue;
      const scale = Math.min(maxScale, longSide / side);
      const { width, height, data } = await page.render({ scale, render: "bitmap", renderFormFields: true });
      const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .jpeg({ quality: 84 })
        .toBuffer();
      pages.push({ page: number, width, height, jpegBase64: jpeg.toString("base64") });
    }
    return { pageCount, pages };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/password|security/i.test(reason)) {
      throw new AnalysisError("encrypted_document", "The PDF is locked with a password. Send a copy without one.");
    }
    throw new AnalysisError("corrupt_media", `The PDF cannot be drawn from page ${first} on. Export it again.`, {
      cause: error,
    });
  }
});
