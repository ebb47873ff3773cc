import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { isStoreError } from "../storage/store.ts";
import type { Blob } from "./find-blob.ts";

export type FrozenBlob = Blob & { reference: string; frozenEtag: string };

/** Puts the checked bytes out of reach of the upload's URL, which may still be alive. */
export async function freezeBlob(app: App, blob: Blob): Promise<FrozenBlob> {
  try {
    const { reference, etag } = await app.store.freeze(blob.upload.objectKey, blob.object.etag);
    return { ...blob, reference, frozenEtag: etag };
  } catch (error) {
    if (isStoreError(error, "object_changed", "object_missing"))
      throw new Failure(
        "invalid_blob_path",
        `${blob.upload.filename} was uploaded anew while the submission was created. Create it again.`,
        {
          cause: error,
        },
      );
    throw error;
  }
}

/**
 * The row of the frozen bytes, made in the transaction that refers to it. Its foreign key locks the upload's row, so
 * that housekeeping cannot remove an upload in the moment it is taken; one that is gone already is a 403.
 */
export async function takeMedia(trx: Kysely<Tables>, blob: FrozenBlob): Promise<string> {
  const { upload, object } = blob;
  try {
    const row = await trx
      .insertInto("media")
      .values({
        mediaId: uuidv7(),
        workspaceId: upload.workspaceId,
        uploadId: upload.uploadId,
        sourceEtag: object.etag,
        reference: blob.reference,
        etag: blob.frozenEtag,
        sizeBytes: object.sizeBytes,
        sha256: object.sha256,
      })
      .onConflict((conflict) =>
        conflict.columns(["uploadId", "sourceEtag"]).doUpdateSet((set) => ({ etag: set.ref("media.etag") })),
      )
      .returning("mediaId")
      .executeTakeFirstOrThrow();
    return row.mediaId;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === foreignKeyViolation)
      throw new Failure("invalid_blob_path", `${upload.filename} was removed just now. Upload it again.`, {
        cause: error,
      });
    throw error;
  }
}

const foreignKeyViolation = "23503";
