import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../../analysis-error.ts";
import { runWorker } from "../../jail/worker.ts";
import type { DocumentEvidence } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import type { DocumentDraft } from "./page-draft.ts";

/** What document-worker.ts is asked. */
export type DocumentRequest = { format: DocumentFormat };

export type DocumentFormat = "pdf" | "docx" | "pptx" | "xlsx" | "text" | "csv" | "captions";

const office = "application/vnd.openxmlformats-officedocument";

const formats: Readonly<Record<string, DocumentFormat>> = {
  "application/pdf": "pdf",
  [`${office}.wordprocessingml.document`]: "docx",
  [`${office}.presentationml.presentation`]: "pptx",
  [`${office}.spreadsheetml.sheet`]: "xlsx",
  "text/plain": "text",
  "text/markdown": "text",
  "text/csv": "csv",
  "text/vtt": "captions",
  "application/x-subrip": "captions",
};

/** The reader holds the whole file, and text of one byte a character takes two as a string. */
const maxFileBytes = { binary: 256 * 2 ** 20, text: 64 * 2 ** 20 };

type DocumentOptions = Pick<FileGatherOptions, "file" | "mediaType"> &
  Partial<Pick<FileGatherOptions, "signal" | "onProgress">>;

/** Every page, slide, sheet or cue with its text. Null for what is not a document. */
export async function gatherDocument(options: DocumentOptions): Promise<DocumentEvidence | null> {
  const draft = await draftDocument(options);
  if (draft === null) return null;
  const { pageDrafts: _, pictures: _pictures, ...document } = draft;
  return document;
}

/** The same with what is left to be looked at in the drawn pages and the pictures. */
export async function draftDocument(options: DocumentOptions): Promise<DocumentDraft | null> {
  const format = documentFormatOf(options.mediaType.contentType);
  if (format === null) return null;
  const isText = format === "text" || format === "csv" || format === "captions";
  const limit = isText ? maxFileBytes.text : maxFileBytes.binary;
  if ((await stat(options.file)).size > limit) {
    throw new AnalysisError(
      "unsupported_media",
      `The document is larger than ${limit / 2 ** 20} MB. Send it in parts.`,
    );
  }
  return runWorker<DocumentDraft>({
    module: fileURLToPath(new URL("./document-worker.ts", import.meta.url)),
    request: { format } satisfies DocumentRequest,
    inputFile: options.file,
    what: "document",
    timeoutSeconds: 150,
    maxResultBytes: 128 * 2 ** 20,
    signal: options.signal,
    onProgress: options.onProgress,
  }).catch((error: unknown) => {
    throw asDocumentError(error);
  });
}

export function documentFormatOf(contentType: string): DocumentFormat | null {
  return formats[contentType] ?? null;
}

/**
 * A parser that runs out of time or memory on a document does so again on the next try: what the file asks for is too
 * much, so it must not be retried for ever.
 */
export function asDocumentError(error: unknown): unknown {
  if (!(error instanceof AnalysisError)) return error;
  const isTooSlow = error.errorType === "analyzer_timeout";
  const isTooLarge = error.errorType === "analyzer_crashed" && error.message.includes("out of memory");
  if (!isTooSlow && !isTooLarge) return error;
  return new AnalysisError(
    "unsupported_media",
    `The document needs more ${isTooSlow ? "time" : "memory"} than is allowed to read it. Simplify it or send it in parts.`,
    { cause: error },
  );
}
