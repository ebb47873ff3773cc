import { fileURLToPath } from "node:url";
import { runWorker } from "../../jail/worker.ts";
import type { MediaType } from "./media-type.ts";
import { makeProbe, type Probe } from "./probe-shape.ts";

/** What probe-document-worker.ts answers. */
export type DocumentHeader = { container: string; pages: number | null };

/** Opens the document just far enough to count its pages and to see that it is not locked. */
export async function probeDocument(options: {
  file: string;
  mediaType: MediaType;
  sizeBytes: number;
  signal?: AbortSignal | undefined;
}): Promise<Probe> {
  const { contentType } = options.mediaType;
  const isText = contentType.startsWith("text/") || contentType === "application/x-subrip";
  const header = isText
    ? { container: textNames[contentType] ?? "text", pages: null }
    : await runWorker<DocumentHeader>({
        module: fileURLToPath(new URL("./probe-document-worker.ts", import.meta.url)),
        request: { contentType },
        inputFile: options.file,
        what: "document",
        timeoutSeconds: 60,
        signal: options.signal,
      });
  return makeProbe({
    kind: "document",
    container: header.container,
    sizeBytes: options.sizeBytes,
    pages: header.pages,
  });
}

const textNames: Readonly<Record<string, string>> = {
  "text/markdown": "markdown",
  "text/csv": "csv",
  "text/vtt": "vtt",
  "application/x-subrip": "srt",
};
