import { open, readFile } from "node:fs/promises";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import yauzl from "yauzl";
import { AnalysisError } from "../../analysis-error.ts";
import { serveWorker } from "../../jail/serve-worker.ts";
import type { DocumentHeader } from "./probe-document.ts";

const pagePatterns: Readonly<Record<string, RegExp | null>> = {
  docx: null,
  pptx: /^ppt\/slides\/slide\d+\.xml$/,
  xlsx: /^xl\/worksheets\/sheet\d+\.xml$/,
};

/** More parts than any honest document has; a zip may list millions in a few megabytes. */
const maxParts = 100_000;

await serveWorker<{ contentType: string }, DocumentHeader>(async ({ contentType }, { file }) => {
  if (contentType === "application/pdf") return { container: "pdf", pages: await countPdfPages(file) };
  const container = contentType.includes("wordprocessing")
    ? "docx"
    : contentType.includes("presentation")
      ? "pptx"
      : "xlsx";
  return { container, pages: await countParts(file, pagePatterns[container] ?? null) };
});

async function countPdfPages(file: string): Promise<number> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(await readFile(file));
    return document.getPageCount();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/password|security/i.test(reason)) {
      throw new AnalysisError("encrypted_document", "The PDF is locked with a password. Send a copy without one.");
    }
    throw new AnalysisError("corrupt_media", "The PDF cannot be read: it is damaged or incomplete. Export it again.");
  }
}

async function countParts(file: string, pattern: RegExp | null): Promise<number | null> {
  await refuseLocked(file);
  return new Promise((resolve, reject) => {
    const damaged = () =>
      reject(new AnalysisError("corrupt_media", "The document cannot be read: it is damaged. Save it again."));
    yauzl.open(file, { lazyEntries: false, autoClose: true }, (error, zip) => {
      if (error !== null || zip === undefined) return damaged();
      if (zip.entryCount > maxParts) return damaged();
      let count = 0;
      zip.on("error", damaged);
      zip.on("entry", (entry: { fileName: string }) => {
        if (pattern?.test(entry.fileName) === true) count += 1;
      });
      zip.on("end", () => resolve(pattern === null ? null : count));
    });
  });
}

/** Office wraps a document with a password in its old container format. */
async function refuseLocked(file: string): Promise<void> {
  await using handle = await open(file, "r");
  const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0);
  if (buffer.toString("hex") !== "d0cf11e0a1b11ae1") return;
  throw new AnalysisError("encrypted_document", "The document is locked with a password. Send a copy without one.");
}
