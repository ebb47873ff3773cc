import type * as Sdk from "@aws-sdk/client-s3";
import { createTranslator, type VendorError } from "../remote-object.ts";
import type { StoredObject } from "../store.ts";

/** What every part of the driver needs to reach the bucket. */
export type S3Bucket = { sdk: typeof Sdk; client: Sdk.S3Client; bucket: string };

export const { attempt, attemptIfMatch, openIfMatch, translated } = createTranslator(readError);

function readError(error: unknown): VendorError {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode === undefined ? null : { status: $metadata.httpStatusCode, code: name ?? "" };
}

/** Of an answer about one object, or of an entry in a listing. */
export function describe(object: {
  ETag?: string | undefined;
  ContentLength?: number | undefined;
  Size?: number | undefined;
  LastModified?: Date | undefined;
}): StoredObject {
  const sizeBytes = object.Size ?? object.ContentLength ?? 0;
  return { etag: object.ETag ?? "", sizeBytes, lastModified: object.LastModified ?? new Date(0), sha256: null };
}
