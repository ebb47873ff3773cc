import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getDocument, PasswordException, type PDFDocumentProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { AnalysisError } from "../../analysis-error.ts";

/** Where pdf.js says that it left out a picture: all that this process learns about pictures. */
const removedImage = "Image exceeded maximum allowed size";

/** Opens a PDF with nothing switched on that runs, fetches or draws. */
export async function openPdf(
  file: string,
  options: { onImage?: () => void } = {},
): Promise<{ pdf: PDFDocumentProxy; close: () => Promise<void> }> {
  listenToWarnings(options.onImage);
  forgiveLostPromises();
  const folder = join(dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json"))), "/");
  const bytes = new Uint8Array(await readFile(file));
  const task = getDocument({
    data: bytes,
    cMapUrl: join(folder, "cmaps/"),
    standardFontDataUrl: join(folder, "standard_fonts/"),
    wasmUrl: join(folder, "wasm/"),
    useSystemFonts: false,
    // Otherwise a letter does not tell its code in the font, and a map that lies cannot be told from one that does not.
    fontExtraProperties: true,
    useWorkerFetch: false,
    // Pictures are pdfium's business: decoding them here would cost time and memory for nothing.
    maxImageSize: 0,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: VerbosityLevel.WARNINGS,
  });
  try {
    return { pdf: await task.promise, close: () => task.destroy() };
  } catch (error) {
    if (error instanceof PasswordException || (error instanceof Error && error.name === "PasswordException")) {
      throw new AnalysisError("encrypted_document", "The PDF is locked with a password. Send a copy without one.");
    }
    throw new AnalysisError("corrupt_media", "The PDF cannot be read: it is damaged or incomplete. Export it again.", {
      cause: error,
    });
  }
}

/**
 * Of a damaged object pdf.js makes a promise that fails and that nobody waits for, which would end this process. Where
 * the object is needed, asking for it fails too.
 */
function forgiveLostPromises(): void {
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
}

/** A damaged file makes pdf.js print a line for every operator; nobody reads the worker's output. */
function listenToWarnings(onImage: (() => void) | undefined): void {
  const listen = (message: unknown) => {
    if (typeof message === "string" && message.includes(removedImage)) onImage?.();
  };
  console.warn = listen;
  console.log = listen;
}
