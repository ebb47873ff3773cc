import type { App } from "../app.ts";
import { maxBytesByCategory } from "@greenlit/engine/media-types/media-types.ts";
import { blobPathOf, declareFile, newUpload, recordUpload } from "./record-upload.ts";

export const urlLifetimeMs = 60 * 60 * 1000;

export async function issueUploadUrl(
  app: App,
  options: { workspaceId: string; filename: string; contentType: string },
): Promise<{ uploadUrl: string; blobPath: string; expiresAt: Date }> {
  const file = declareFile(options);
  const expiresAt = new Date(app.now().getTime() + urlLifetimeMs);
  const upload = newUpload(app, { workspaceId: options.workspaceId, file, urlExpiresAt: expiresAt });
  const uploadUrl = await app.store.signPut(upload.objectKey, {
    expiresAt,
    maxBytes: maxBytesByCategory[file.mediaType.category],
    contentType: upload.contentType,
  });
  await recordUpload(app, upload);
  return { uploadUrl, blobPath: blobPathOf(upload), expiresAt };
}
