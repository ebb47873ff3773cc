import { GreenlitError } from "./errors.ts";
import { contentTypes, type DirectUpload } from "./generated.ts";
import type { Transport } from "./transport.ts";
import type { UploadCheckpoint } from "./upload-address.ts";
import { bytesOf, sizeOf, type UploadSource } from "./upload-source.ts";
import { uploadToStore } from "./upload-to-store.ts";

export type UploadOptions = {
  /** Left out: the name of the `File`. */
  filename?: string;
  /** Left out: the type of the `Blob` if it is one that the service takes, or what the extension usually means. */
  contentType?: string;
  signal?: AbortSignal;
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void;
  /** Given after each block: keep the newest one to go on after a crash. It holds a secret, the signed address. */
  onCheckpoint?: (checkpoint: UploadCheckpoint) => void;
  /** A checkpoint of the same file. When it is too old the upload starts over. */
  resume?: UploadCheckpoint;
};

/** The service's limit for an upload in one request. */
const directMaxBytes = 10 * 1024 * 1024;

/** Uploads a file of any size by the way that suits it, and gives the blob path for a submission. */
export async function upload(
  transport: Transport,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<DirectUpload> {
  const file = describe(source, options);
  options.onProgress?.({ sentBytes: 0, totalBytes: file.sizeBytes });
  if (file.sizeBytes > directMaxBytes) return uploadToStore(transport, source, { ...options, ...file });

  const bytes = await bytesOf(source, 0, file.sizeBytes);
  const form = new FormData();
  form.set("file", new Blob([bytes], { type: file.contentType }), file.filename);
  const stored = await transport.call("uploadDirectly", {
    body: form as never,
    ...(options.signal && { signal: options.signal }),
  });
  options.onProgress?.({ sentBytes: file.sizeBytes, totalBytes: file.sizeBytes });
  return stored;
}

function describe(source: UploadSource, options: UploadOptions) {
  const filename = options.filename ?? (source as { name?: string }).name;
  if (!filename) throw new GreenlitError("Give the upload a filename: these bytes have none.");
  const extension = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase();
  const { type } = source as { type?: string };
  // Systems have types of their own for some endings: `.ts` is a translation to one, `.csv` a spreadsheet to another.
  const known = type && contentTypes[type] !== undefined ? type : undefined;
  const contentType = options.contentType || known || usualType(extension) || type;
  if (!contentType)
    throw new GreenlitError(`Give the upload a contentType: the extension of ${filename} says nothing.`);
  return { filename, contentType, sizeBytes: sizeOf(source) };
}

function usualType(extension: string): string | undefined {
  return Object.keys(contentTypes).find((type) => contentTypes[type]?.split(" ").includes(extension));
}
