import { readFile } from "node:fs/promises";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { serveWorker } from "../jail/serve-worker.ts";
import { createCells } from "./cells.ts";
import type { DrawAnswer, DrawRequest } from "./draw-pages.ts";

await serveWorker<DrawRequest, DrawAnswer>(async ({ count, longSide }, { file }) => {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(await readFile(file));
  const pages: DrawAnswer["pages"] = [];
  for (let number = 0; number < Math.min(count, document.getPageCount()); number++) {
    const page = document.getPage(number);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const side = Math.max(originalWidth, originalHeight);
    if (!(side > 0)) {
      pages.push(null);
      continue;
    }
    // Three times as large as it is kept: letters are drawn too coarsely in the size itself.
    const drawn = await page.render({ scale: (3 * longSide) / side, render: "bitmap", renderFormFields: true });
    const grey = new Uint8Array(drawn.width * drawn.height);
    for (let index = 0; index < grey.length; index++)
      grey[index] =
        0.299 * (drawn.data[4 * index] ?? 0) +
        0.587 * (drawn.data[4 * index + 1] ?? 0) +
        0.114 * (drawn.data[4 * index + 2] ?? 0);
    const [width, height] = [Math.max(1, Math.round(drawn.width / 3)), Math.max(1, Math.round(drawn.height / 3))];
    const means = new Float32Array(width * height);
    createCells({ width: drawn.width, height: drawn.height, columns: width, rows: height })(grey, means);
    pages.push({ width, height, base64: Buffer.from(Uint8Array.from(means, Math.round)).toString("base64") });
  }
  return { pages };
});
