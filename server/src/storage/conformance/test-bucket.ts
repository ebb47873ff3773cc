import { randomUUID } from "node:crypto";
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from "@aws-sdk/client-s3";
import type { S3StoreOptions } from "../s3/s3-store.ts";

export type S3Account = Omit<S3StoreOptions, "bucket">;

/** A bucket of its own on a server that speaks S3. */
export async function newBucket(account: S3Account, { isVersioned }: { isVersioned: boolean }): Promise<string> {
  const client = clientOf(account);
  const Bucket = `media-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  if (isVersioned)
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  return Bucket;
}

export function clientOf(account: S3Account): S3Client {
  const { endpoint = "", credentials = { accessKeyId: "", secretAccessKey: "" } } = account;
  return new S3Client({
    region: account.region,
    forcePathStyle: true,
    endpoint,
    credentials,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
}
