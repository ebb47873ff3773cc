import type { Readable } from "node:stream";
import type { App } from "../app.ts";
import { directUploadMaxBytes } from "./media-types.ts";
import { readRangeOf } from "./read-range.ts";
import { recogniseHeadBytes, recognise } from "./recognise.ts";
import { blobPathOf, newUpload, recordUpload, type DeclaredFile } from "./record-upload.ts";

/** Stores the body of a direct upload; the row is written last, so that a path never names bytes that were refused. */
export async function storeDirectly(
  app: App,
  options: { workspaceId: string; file: DeclaredFile; body: Readable },
): Promise<{ blobPath: string; sizeBytes: number; contentType: string }> {
  const { workspaceId, file, body } = options;
  const upload = newUpload(app, { workspaceId, file, urlExpiresAt: null });
  const { contentType } = upload;
  const { etag, sizeBytes } = await app.store.put(upload.objectKey, body, {
    maxBytes: directUploadMaxBytes,
    contentType,
  });
  try {
    const read = readRangeOf(app.store, { key: upload.objectKey, etag });
    await recognise({
      mediaType: file.mediaType,
      head: await read(0, Math.min(sizeBytes, recogniseHeadBytes)),
      sizeBytes,
      read,
    });
    await recordUpload(app, upload);
  } catch (error) {
    await app.store.remove(upload.objectKey);
    throw error;
  }
  return { blobPath: blobPathOf(upload), sizeBytes, contentType };
}
