import { randomUUID } from "node:crypto";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { changed } from "../object-errors.ts";
import { attempt, describe, type S3Bucket } from "./s3-bucket.ts";
import { referenceTo, type StoredObject } from "../store.ts";

/** Copies the object to a key that no address was ever signed for. */
export async function freezeByCopy(
  { sdk, client, bucket }: S3Bucket,
  { key, source }: { key: string; source: HeadObjectCommandOutput },
): Promise<StoredObject & { reference: string }> {
  const reference = referenceTo(key, randomUUID());
  const CopySource = [bucket, ...key.split("/")].map(encodeURIComponent).join("/");
  const copy = new sdk.CopyObjectCommand({
    Bucket: bucket,
    Key: reference,
    CopySource,
    CopySourceIfMatch: source.ETag,
  });
  try {
    await attempt(key, client.send(copy));
    const made = await attempt(reference, client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: reference })));
    if (!(await isCopyOf(made))) throw changed(key);
    return { ...describe(made), reference };
  } catch (error) {
    await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: reference })).catch(() => {});
    throw error;
  }

  /** Some servers ignore the condition on a copy, so its result is looked at. */
  async function isCopyOf(made: HeadObjectCommandOutput): Promise<boolean> {
    if (made.ContentLength !== source.ContentLength) return false;
    if (made.ETag === source.ETag) return true;
    // Such etags are no digests of the bytes, so two copies never agree; but one that still stands was not replaced.
    const isEncrypted = source.ServerSideEncryption === "aws:kms" || source.ServerSideEncryption === "aws:kms:dsse";
    if (!isEncrypted && !source.ETag?.includes("-")) return false;
    const still = await attempt(key, client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key })));
    return still.ETag === source.ETag;
  }
}
