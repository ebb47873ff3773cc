import type { App } from "../app.ts";
import { runPrepared } from "../db/prepared.ts";
import { Failure } from "../failure.ts";
import type { StoredObject } from "../storage/store.ts";
import { parseBlobPath } from "./filename.ts";
import { findMediaType, formatSize, maxBytesByCategory, type MediaType } from "./media-types.ts";
import { readRangeOf } from "./read-range.ts";
import { recognise, recogniseHeadBytes } from "./recognise.ts";
import type { Upload } from "./record-upload.ts";

export type Blob = { upload: Upload; object: StoredObject; mediaType: MediaType };

const mostHeadsAtOnce = 8;
const newestFirst = `
  select upload_id, workspace_id, filename, content_type, object_key, issued_at, url_expires_at
    from uploads where workspace_id = $1 and filename = $2 order by upload_id desc`;

/** What a path means now: the newest issued upload of that name that has bytes, or a 403. */
export async function findBlob(app: App, options: { workspaceId: string; blobPath: string }): Promise<Blob> {
  const { workspaceId } = options;
  const { filename } = parseBlobPath(options.blobPath, workspaceId);
  const uploads = await runPrepared<Upload>(app.db, newestFirst, [workspaceId, filename]);

  for (let first = 0; first < uploads.length; first += first === 0 ? 1 : mostHeadsAtOnce) {
    const some = uploads.slice(first, first + (first === 0 ? 1 : mostHeadsAtOnce));
    const objects = await Promise.all(some.map(({ objectKey }) => app.store.head(objectKey)));
    const index = objects.findIndex((object) => object !== null);
    const [upload, object] = [some[index], objects[index]];
    if (upload && object) return { upload, object, mediaType: findMediaType(upload.contentType) };
  }
  throw new Failure(
    "invalid_blob_path",
    "Nothing was uploaded under this blob path, or it was removed 24 hours after its upload. Upload the file, then create the submission.",
  );
}

export function checkSize({ upload, object, mediaType }: Blob): void {
  const cap = maxBytesByCategory[mediaType.category];
  if (object.sizeBytes > cap)
    throw new Failure(
      "file_too_large",
      `${upload.filename} has ${formatSize(object.sizeBytes)}; a ${mediaType.category} may have ${formatSize(cap)}.`,
    );
}

/** Recognises the bytes by reading a few ranges; a 415 when they are not what was declared. */
export async function checkBytes(app: App, { upload, object, mediaType }: Blob): Promise<void> {
  const read = readRangeOf(app.store, { key: upload.objectKey, etag: object.etag });
  await recognise({
    mediaType,
    head: await read(0, Math.min(object.sizeBytes, recogniseHeadBytes)),
    sizeBytes: object.sizeBytes,
    read,
  });
}
