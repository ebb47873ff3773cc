import { blockId, blockListXml } from "./block-list.ts";
import { UploadError } from "./errors.ts";
import type { DirectUpload } from "./generated.ts";
import { putToStore, readBlocks, withQuery } from "./store-request.ts";
import type { Transport } from "./transport.ts";
import { AddressLost, keepFresh, type UploadCheckpoint } from "./upload-address.ts";
import { bytesOf, type UploadSource } from "./upload-source.ts";

type Options = {
  filename: string;
  contentType: string;
  sizeBytes: number;
  signal?: AbortSignal;
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void;
  onCheckpoint?: (checkpoint: UploadCheckpoint) => void;
  resume?: UploadCheckpoint;
};

const blockBytes = 8 * 1024 * 1024;
const parallel = 4;
const blockTimeoutMs = 300_000;
/** One PUT of 5 GB may take the lifetime of its address. */
const wholeTimeoutMs = 3_600_000;
/** How often everything is sent again when the store has lost it. */
const maxRestarts = 2;

/** Sends a large file straight to the object store by a signed address. */
export async function uploadToStore(
  transport: Transport,
  source: UploadSource,
  options: Options,
): Promise<DirectUpload> {
  const { contentType, sizeBytes, resume, signal } = options;
  let checkpoint = resume && isSameFile(resume, options) ? structuredClone(resume) : await begin(transport, options);
  for (let restarts = 0; ; restarts += 1) {
    try {
      if (isS3(checkpoint.uploadUrl)) await putWhole(transport, source, { ...options, checkpoint });
      else await putBlocks(transport, source, { ...options, checkpoint });
      options.onProgress?.({ sentBytes: sizeBytes, totalBytes: sizeBytes });
      return { blobPath: checkpoint.blobPath, sizeBytes, contentType };
    } catch (error) {
      signal?.throwIfAborted();
      const isLost = error instanceof AddressLost || (error instanceof UploadError && error.status === 409);
      if (!isLost || restarts >= maxRestarts) throw error;
      checkpoint = await begin(transport, options);
    }
  }
}

async function begin(transport: Transport, options: Options): Promise<UploadCheckpoint> {
  const { filename, contentType, sizeBytes, signal } = options;
  const url = await transport.call("createUploadUrl", { body: { filename, contentType }, ...(signal && { signal }) });
  const checkpoint = { ...url, filename, contentType, sizeBytes, blockBytes, blocks: [] };
  options.onCheckpoint?.(checkpoint);
  return checkpoint;
}

function isSameFile(checkpoint: UploadCheckpoint, { filename, contentType, sizeBytes }: Options): boolean {
  return (
    checkpoint.filename === filename && checkpoint.contentType === contentType && checkpoint.sizeBytes === sizeBytes
  );
}

function isS3(url: string): boolean {
  return new URL(url).searchParams.has("X-Amz-Signature");
}

/** S3 signs one PUT; a stream would go without its length, which S3 refuses. */
async function putWhole(
  transport: Transport,
  source: UploadSource,
  { checkpoint, contentType, sizeBytes, signal, onCheckpoint }: Options & { checkpoint: UploadCheckpoint },
): Promise<void> {
  const body = await bytesOf(source, 0, sizeBytes);
  const headers = { "content-type": contentType, "x-ms-blob-type": "BlockBlob" };
  const address = keepFresh(transport, { checkpoint, signal, onCheckpoint });
  await address.use((url) => putToStore(transport, { url, body, headers, timeoutMs: wholeTimeoutMs, signal }));
}

async function putBlocks(
  transport: Transport,
  source: UploadSource,
  options: Options & { checkpoint: UploadCheckpoint },
): Promise<void> {
  const { checkpoint, sizeBytes, contentType, signal, onProgress, onCheckpoint } = options;
  const size = checkpoint.blockBytes;
  const count = Math.ceil(sizeBytes / size);
  const bytesIn = (block: number) => Math.min(size, sizeBytes - block * size);
  const address = keepFresh(transport, { checkpoint, signal, onCheckpoint });

  if (checkpoint.blocks.length > 0) {
    const known = await readBlocks(transport, await address.current(), signal);
    if (known !== null) {
      const isWhole = (sizes: Map<string, number>) => (block: number) => sizes.get(blockId(block)) === bytesIn(block);
      const all = Array.from({ length: count }, (_, block) => block);
      // Killed between the end of the upload and the submission.
      if (all.every(isWhole(known.committed))) return;
      checkpoint.blocks = all.filter(isWhole(known.uncommitted));
    }
  }

  const done = new Set(checkpoint.blocks);
  const waiting = Array.from({ length: count }, (_, block) => block).filter((block) => !done.has(block));
  let sentBytes = [...done].reduce((sum, block) => sum + bytesIn(block), 0);
  onProgress?.({ sentBytes, totalBytes: sizeBytes });
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const work = async () => {
    for (let block = waiting.shift(); block !== undefined && !stop.signal.aborted; block = waiting.shift()) {
      const start = block * size;
      const body = await bytesOf(source, start, start + bytesIn(block));
      const query = `comp=block&blockid=${encodeURIComponent(blockId(block))}`;
      await address.use((url) =>
        putToStore(transport, { url: withQuery(url, query), body, timeoutMs: blockTimeoutMs, signal: stop.signal }),
      );
      checkpoint.blocks.push(block);
      sentBytes += bytesIn(block);
      onCheckpoint?.(structuredClone(checkpoint));
      onProgress?.({ sentBytes, totalBytes: sizeBytes });
    }
  };
  try {
    await Promise.all(
      Array.from({ length: parallel }, () =>
        work().catch((error: unknown) => {
          // The others would go on sending what nobody commits.
          stop.abort(error);
          throw error;
        }),
      ),
    );
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  await address.use((url) =>
    putToStore(transport, {
      url: withQuery(url, "comp=blocklist"),
      body: blockListXml(count),
      headers: { "x-ms-blob-content-type": contentType },
      timeoutMs: blockTimeoutMs,
      signal,
    }),
  );
}
