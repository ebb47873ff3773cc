import { Failure } from "../failure.ts";
import { isStoreError } from "../storage/store.ts";
import type { Blob, HeldBlob } from "./find-blob.ts";

export type FrozenBlob = Blob & { reference: string; frozenEtag: string };

/** Puts the checked bytes out of reach of the upload's URL, which may still be alive. */
export async function freezeBlob({ held, ...blob }: HeldBlob): Promise<FrozenBlob> {
  try {
    const { reference, etag } = await held.freeze();
    return { ...blob, reference, frozenEtag: etag };
  } catch (error) {
    if (isStoreError(error, "object_changed", "object_missing"))
      throw new Failure(
        "invalid_blob_path",
        `${blob.upload.filename} was uploaded again while the submission was created. Create it again.`,
        {
          cause: error,
        },
      );
    throw error;
  }
}

/** An upload that housekeeping removed, or whose retention ended, in the moment it was to be taken. */
export function uploadGone(filename: string, cause?: unknown): Failure {
  return new Failure("invalid_blob_path", `${filename} was removed just now. Upload it again.`, { cause });
}
