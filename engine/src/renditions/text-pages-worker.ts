import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { serveWorker } from "../jail/serve-worker.ts";
import type { PageImages, PagesRequest } from "./render-pages.ts";

/** A sheet of paper: as wide as A4 is at the longest side of a page image. */
const width = 1130;
const leastHeight = 1600;
const margin = 90;

// The font of a package that is here anyway, so that a machine without fonts draws letters too.
const fonts = join(dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json"))), "standard_fonts");

await serveWorker<PagesRequest, PageImages>(async ({ first, count }, { file }) => {
  const texts = JSON.parse(await readFile(file, "utf8")) as string[];
  const pages: PageImages["pages"] = [];
  for (let page = first; page < first + count && page <= texts.length; page += 1)
    pages.push({ page, ...(await drawText(texts[page - 1] ?? "")) });
  return { pageCount: texts.length, pages };
});

async function drawText(text: string): Promise<{ width: number; height: number; jpegBase64: string }> {
  const letters = text.trim() === "" ? null : await drawLetters(text);
  const height = Math.max(leastHeight, (letters?.info.height ?? 0) + 2 * margin);
  const sheet = sharp({ create: { width, height, channels: 3, background: "#ffffff" } });
  const written = letters === null ? sheet : sheet.composite([{ input: letters.data, left: margin, top: margin }]);
  const jpeg = await written.jpeg({ quality: 84 }).toBuffer();
  return { width, height, jpegBase64: jpeg.toString("base64") };
}

function drawLetters(text: string) {
  return sharp({
    text: {
      text: escaped(text),
      width: width - 2 * margin,
      wrap: "word-char",
      dpi: 130,
      font: "Liberation Sans 11",
      fontfile: join(fonts, "LiberationSans-Regular.ttf"),
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
}

/** The text is a foreign file's: nothing in it is markup, and a control character would make it invalid. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g, " ")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
  );
}
