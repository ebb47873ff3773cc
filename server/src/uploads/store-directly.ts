import type { Readable } from "node:stream";
import type { App } from "../app.ts";
import { missing } from "../storage/object-errors.ts";
import { checkBytes } from "./find-blob.ts";
import { directUploadMaxBytes } from "@greenlit/engine/media-types/media-types.ts";
import { blobPathOf, newUpload, recordStoredUpload, type DeclaredFile } from "./record-upload.ts";
import { carryOutRemovals, planRemovals } from "./removals.ts";

/** Longer than a request may take. */
const putMs = 60 * 60 * 1000;

/**
 * Stores the body of a direct upload. The row is written last, so that a path never names bytes that were refused. The
 * removal of the bytes is planned before the first of them is stored and called off with the row: when this process
 * dies in between, they do not stay.
 */
export async function storeDirectly(
  app: App,
  options: { workspaceId: string; file: DeclaredFile; body: Readable },
): Promise<{ blobPath: string; sizeBytes: number; contentType: string }> {
  const { workspaceId, file, body } = options;
  const upload = newUpload(app, { workspaceId, file, urlExpiresAt: null });
  const { contentType, objectKey } = upload;
  const later = new Date(app.now().getTime() + putMs);
  const planned = await planRemovals(app.db, { removals: [{ kind: "object", objectKey }], now: later });
  try {
    const { sizeBytes } = await app.store.put(objectKey, body, { maxBytes: directUploadMaxBytes, contentType });
    await using held = await app.store.hold(objectKey);
    if (!held) throw missing(objectKey);
    await checkBytes({ held, object: held.object, mediaType: file.mediaType });
    await recordStoredUpload(app, upload, planned);
    return { blobPath: blobPathOf(upload), sizeBytes, contentType };
  } catch (error) {
    // What cannot be removed now is left to housekeeping; the caller hears of the first error.
    await carryOutRemovals(app, planned).catch(() => undefined);
    throw error;
  }
}
