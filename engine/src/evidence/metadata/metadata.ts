import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../../analysis-error.ts";
import { runWorker } from "../../jail/worker.ts";
import { asDocumentError, documentFormatOf } from "../documents/document.ts";
import type { MetadataEvidence } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import type { MediaType } from "../probe/media-type.ts";

/** What metadata-worker.ts is asked. */
export type MetadataRequest = { contentType: string; format: MetadataFormat };

export type MetadataFormat = "image" | "pdf" | "office" | "media";

/** Pictures and documents are held whole; sound and video are read piece by piece. */
const maxFileBytes = 512 * 2 ** 20;

/** Who and what made the file, where, and whether it says that a machine did. Null: the format has no place for it. */
export async function gatherMetadata(
  options: Pick<FileGatherOptions, "file" | "mediaType"> & { signal?: AbortSignal | undefined },
): Promise<MetadataEvidence | null> {
  const format = metadataFormatOf(options.mediaType);
  if (format === null) return null;
  if (format !== "media" && (await stat(options.file)).size > maxFileBytes) {
    throw new AnalysisError("unsupported_media", "The file is larger than 512 MB. Send a smaller export.");
  }
  return runWorker<MetadataEvidence>({
    module: fileURLToPath(new URL("./metadata-worker.ts", import.meta.url)),
    request: { contentType: options.mediaType.contentType, format } satisfies MetadataRequest,
    inputFile: options.file,
    what: "metadata",
    timeoutSeconds: 120,
    signal: options.signal,
  }).catch((error: unknown) => {
    throw format === "pdf" || format === "office" ? asDocumentError(error) : error;
  });
}

function metadataFormatOf({ category, contentType }: MediaType): MetadataFormat | null {
  if (category === "image") return "image";
  if (category !== "document") return "media";
  const format = documentFormatOf(contentType);
  if (format === "pdf") return "pdf";
  return format === "docx" || format === "pptx" || format === "xlsx" ? "office" : null;
}
