import type { Readable } from "node:stream";
import type { App } from "../app.ts";
import { missing } from "../storage/object-errors.ts";
import { checkBytes } from "./find-blob.ts";
import { directUploadMaxBytes } from "@greenlit/engine/media-types/media-types.ts";
import { blobPathOf, newUpload, recordUpload, type DeclaredFile } from "./record-upload.ts";

/** Stores the body of a direct upload; the row is written last, so that a path never names bytes that were refused. */
export async function storeDirectly(
  app: App,
  options: { workspaceId: string; file: DeclaredFile; body: Readable },
): Promise<{ blobPath: string; sizeBytes: number; contentType: string }> {
  const { workspaceId, file, body } = options;
  const upload = newUpload(app, { workspaceId, file, urlExpiresAt: null });
  const { contentType } = upload;
  const { sizeBytes } = await app.store.put(upload.objectKey, body, {
    maxBytes: directUploadMaxBytes,
    contentType,
  });
  try {
    await using held = await app.store.hold(upload.objectKey);
    if (!held) throw missing(upload.objectKey);
    await checkBytes({ held, object: held.object, mediaType: file.mediaType });
    await recordUpload(app, upload);
  } catch (error) {
    await app.store.remove(upload.objectKey);
    throw error;
  }
  return { blobPath: blobPathOf(upload), sizeBytes, contentType };
}
