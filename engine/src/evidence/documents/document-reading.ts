import type { DocumentEvidence } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { draftDocument } from "./document.ts";
import { readOfficePictures } from "./office-pictures.ts";
import { readDrawnPages } from "./read-drawn-pages.ts";

/** Finding the text that a document has takes a fraction of reading what it has not. */
const findingShare = 0.2;

/** Every page with what a reader of it sees: its own text as it is drawn, and the text of its pictures. */
export async function gatherReadDocument(options: FileGatherOptions): Promise<DocumentEvidence | null> {
  const onProgress = (fraction: number) => options.onProgress(findingShare * fraction);
  const draft = await draftDocument({ ...options, onProgress });
  if (draft === null) return null;
  const { pageDrafts, pictures, ...document } = draft;
  const tools = {
    ...options,
    onProgress: (fraction: number) => options.onProgress(findingShare + (1 - findingShare) * fraction),
  };
  if (options.mediaType.contentType === "application/pdf") return readDrawnPages(document, pageDrafts, tools);
  return readOfficePictures(document, pictures, tools);
}
