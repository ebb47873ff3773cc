import type { Readable } from "node:stream";
import type { CompletedPart } from "@aws-sdk/client-s3";
import type { S3Bucket } from "./s3-bucket.ts";

const partBytes = 8 * 1024 * 1024;

/** Uploads a body of unknown length: at once when it is small, in parts when not. Returns the etag. */
export async function putParts(
  { sdk, client, bucket }: S3Bucket,
  upload: { key: string; contentType: string; body: Readable },
): Promise<string> {
  const target = { Bucket: bucket, Key: upload.key };
  const parts = partsOf(upload.body);
  const first = await parts.next();
  const second = await parts.next();
  if (second.done) {
    const only = first.done ? Buffer.alloc(0) : first.value;
    const { ETag = "" } = await client.send(
      new sdk.PutObjectCommand({ ...target, Body: only, ContentType: upload.contentType }),
    );
    return ETag;
  }
  const { UploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({ ...target, ContentType: upload.contentType }),
  );
  try {
    const completed: CompletedPart[] = [];
    const send = async (Body: Buffer) => {
      const PartNumber = completed.length + 1;
      const { ETag } = await client.send(new sdk.UploadPartCommand({ ...target, UploadId, PartNumber, Body }));
      completed.push({ PartNumber, ETag });
    };
    if (!first.done) await send(first.value);
    await send(second.value);
    for await (const part of parts) await send(part);
    const { ETag = "" } = await client.send(
      new sdk.CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: completed } }),
    );
    return ETag;
  } catch (error) {
    // What cannot be aborted now is found by the sweep.
    await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {});
    throw error;
  }
}

/** Ends the uploads in parts that nobody completed: their parts are invisible, and paid for. */
export async function abortUploads(
  { sdk, client, bucket }: S3Bucket,
  { olderThan }: { olderThan: Date },
): Promise<number> {
  let removed = 0;
  const marker: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, ...marker }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= olderThan) continue;
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
      removed++;
    }
    if (!page.IsTruncated || !page.NextKeyMarker) return removed;
    Object.assign(marker, { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker });
  }
}

async function* partsOf(body: Readable): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < partBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(chunks);
}
