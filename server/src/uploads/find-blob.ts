import type { App } from "../app.ts";
import { prepareStatement } from "../db/prepared.ts";
import { Failure } from "../failure.ts";
import type { HeldObject, StoredObject } from "../storage/store.ts";
import { parseBlobPath } from "./filename.ts";
import { formatExactSize, maxBytesByCategory, type MediaType } from "@greenlit/engine/media-types/media-types.ts";
import { recogniseHeadBytes } from "@greenlit/engine/media-types/recognise.ts";
import { findMediaType, recognise } from "./declared-type.ts";
import type { Upload } from "./record-upload.ts";

export type Blob = { upload: Upload; object: StoredObject; mediaType: MediaType };

export type HeldBlob = Blob & { held: HeldObject };

const maxHeadsAtOnce = 8;
const afterAll = "ffffffff-ffff-ffff-ffff-ffffffffffff";
// A range of one name, in the order of the index of names: for an equality the planner may walk all uploads from the
// newest on, because it takes any name to be as frequent as the most frequent one.
const selectNewestFirst = prepareStatement<{ workspaceId: string; filename: string; before: string }, Upload>(`
  select upload_id, workspace_id, filename, content_type, object_key, issued_at, url_expires_at
    from uploads where workspace_id = :workspaceId and filename between :filename and :filename
      and upload_id < :before::uuid
    order by filename, upload_id desc limit ${1 + maxHeadsAtOnce}`);

/** What a path means now: the newest issued upload of that name that has bytes, or a 403. The caller lets go of it. */
export async function findBlob(app: App, options: { workspaceId: string; blobPath: string }): Promise<HeldBlob> {
  const { workspaceId } = options;
  const { filename } = parseBlobPath(options.blobPath, workspaceId);

  for await (const upload of likelyUploads(app, { workspaceId, filename })) {
    const held = await app.store.hold(upload.objectKey);
    if (held) return { upload, held, object: held.object, mediaType: findMediaType(upload.contentType) };
  }
  throw new Failure(
    "invalid_blob_path",
    "Nothing was uploaded under this blob path, or it was removed 24 hours after its upload. Upload the file, then create the submission.",
  );
}

/** The newest, which nearly always has bytes, unasked; of the older ones those that the store knows. */
async function* likelyUploads(app: App, of: { workspaceId: string; filename: string }): AsyncGenerator<Upload> {
  for (let before: string | undefined = afterAll; before !== undefined;) {
    const uploads: Upload[] = await selectNewestFirst(app.db, { ...of, before });
    const [newest] = uploads;
    if (newest && before === afterAll) yield newest;
    const older = before === afterAll ? uploads.slice(1) : uploads;
    const objects = await Promise.all(older.map(({ objectKey }) => app.store.head(objectKey)));
    yield* older.filter((_, index) => objects[index]);
    before = uploads.length > maxHeadsAtOnce ? uploads.at(-1)?.uploadId : undefined;
  }
}

export function checkSize({ upload, object, mediaType }: Blob): void {
  const cap = maxBytesByCategory[mediaType.category];
  if (object.sizeBytes > cap)
    throw new Failure(
      "file_too_large",
      `${upload.filename} has ${formatExactSize(object.sizeBytes)}; a file of type ${mediaType.contentType} (${mediaType.category}) may have ${formatExactSize(cap)}.`,
    );
}

/** Recognises the bytes by reading a few ranges; a 415 when they are not what was declared. */
export async function checkBytes({
  held,
  object,
  mediaType,
}: Pick<HeldBlob, "held" | "object" | "mediaType">): Promise<void> {
  const { sizeBytes } = object;
  const read = (start: number, end: number) => held.read(start, end);
  await recognise({ mediaType, head: await read(0, Math.min(sizeBytes, recogniseHeadBytes)), sizeBytes, read });
}
