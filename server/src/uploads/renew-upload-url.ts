import type { App } from "../app.ts";
import { maxBytesByCategory } from "@greenlit/engine/media-types/media-types.ts";
import { Failure } from "../failure.ts";
import { findMediaType } from "./declared-type.ts";
import { parseBlobPath } from "./filename.ts";
import { urlLifetimeMs } from "./issue-upload-url.ts";
import { blobPathOf } from "./record-upload.ts";

/**
 * A fresh signature for the object of an upload URL, expired or not. Blocks that were staged stay, so an upload may take
 * longer than a URL lives.
 */
export async function renewUploadUrl(
  app: App,
  options: { workspaceId: string; blobPath: string; uploadUrl: string },
): Promise<{ uploadUrl: string; blobPath: string; expiresAt: Date }> {
  const { workspaceId, blobPath } = options;
  const { filename } = parseBlobPath(blobPath.normalize("NFC"), workspaceId);
  const uploadId = uploadIdOf(options.uploadUrl);
  if (uploadId === undefined) throw unknownUrl();
  const expiresAt = new Date(app.now().getTime() + urlLifetimeMs);
  // The row's time first: housekeeping removes an empty upload whose URL has expired.
  const upload = await app.db
    .updateTable("uploads")
    .set({ urlExpiresAt: expiresAt })
    .where("uploadId", "=", uploadId)
    .where("workspaceId", "=", workspaceId)
    .where("filename", "=", filename)
    .where("urlExpiresAt", "is not", null)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom("media").select("mediaId").whereRef("media.uploadId", "=", "uploads.uploadId")),
      ),
    )
    .returningAll()
    .executeTakeFirst();
  if (!upload) throw unknownUrl();
  const { category } = findMediaType(upload.contentType);
  const uploadUrl = await app.store.signPut(upload.objectKey, {
    expiresAt,
    maxBytes: maxBytesByCategory[category],
    contentType: upload.contentType,
  });
  return { uploadUrl, blobPath: blobPathOf(upload), expiresAt };
}

/** The last segment of the object's key, which every store has at the end of the path. */
function uploadIdOf(uploadUrl: string): string | undefined {
  const path = URL.parse(uploadUrl)?.pathname ?? "";
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(path)?.[1];
}

function unknownUrl(): Failure {
  return new Failure(
    "invalid_blob_path",
    "This upload cannot be renewed: the URL does not belong to the blob path, a submission has taken the upload, or it was removed. Ask for a new URL.",
  );
}
