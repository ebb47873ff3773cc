import { readFile } from "node:fs/promises";
import { serveWorker } from "../../jail/serve-worker.ts";
import { asCorruptDocument } from "./corrupt-document-error.ts";
import type { DocumentRequest } from "./document.ts";
import type { DocumentEvidence } from "../evidence.ts";
import type { DocumentDraft } from "./page-draft.ts";

type Reader = (
  file: string,
  onProgress: (fraction: number) => void,
) => Promise<DocumentEvidence & Partial<DocumentDraft>>;

/** Loaded only when asked for: a library costs more time to load than a text file to read. */
const readers: Readonly<Record<DocumentRequest["format"], Reader>> = {
  pdf: async (file, onProgress) => (await import("./read-pdf.ts")).readPdf(file, onProgress),
  docx: async (file) => (await import("./read-docx.ts")).readDocx(file),
  pptx: async (file, onProgress) => (await import("./read-pptx.ts")).readPptx(file, onProgress),
  xlsx: async (file, onProgress) => (await import("./read-xlsx.ts")).readXlsx(file, onProgress),
  text: async (file) => (await import("./read-text.ts")).readText(await readFile(file), { isTable: false }),
  csv: async (file) => (await import("./read-text.ts")).readText(await readFile(file), { isTable: true }),
  captions: async (file) => (await import("../captions/read-captions.ts")).readCaptions(await readFile(file)),
};

await serveWorker<DocumentRequest, DocumentDraft>(async ({ format }, { file, onProgress }) => ({
  pageDrafts: [],
  pictures: [],
  ...(await readers[format](file, onProgress).catch(asCorruptDocument)),
}));
