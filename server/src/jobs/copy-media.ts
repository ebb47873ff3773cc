import { createHash, randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../app.ts";
import { orNullIfMissing } from "../storage/folder/durable-file.ts";
import { isStoreError, type StoreError } from "../storage/store.ts";
import { AssetFailed } from "./asset-failed.ts";

type Media = { reference: string; etag: string };

const fetchTries = 3;

/** The worker's own copy of an asset's bytes. It may be begun before anybody waits for it; disposing ends and removes it. */
export function createCopy(app: App, { scratch, signal }: { scratch: string; signal: AbortSignal }) {
  const file = join(scratch, randomUUID());
  const stop = new AbortController();
  let copying: Promise<string> | undefined;
  let removing: Promise<unknown> | undefined;

  function begin(media: Media): void {
    copying ??= fetchMedia(app, { media, file, signal: AbortSignal.any([signal, stop.signal]) });
    // Its failure is met by who waits for it, and counts for nothing when nobody does.
    copying.catch(() => {});
  }

  function remove(): void {
    removing ??= orNullIfMissing(unlink(file));
    removing.catch(() => {});
  }

  return {
    file,
    begin,
    /** Gives the SHA-256 once the copy is whole. */
    async finish(media: Media): Promise<string> {
      begin(media);
      return (await copying) ?? "";
    },
    remove,
    async [Symbol.asyncDispose]() {
      if (!copying) return;
      stop.abort();
      await copying.catch(() => {});
      remove();
      await removing;
    },
  };
}

/** Copies the frozen bytes once, by their etag, and gives their SHA-256. */
async function fetchMedia(
  app: App,
  { media: { reference, etag }, file, signal }: { media: Media; file: string; signal: AbortSignal },
): Promise<string> {
  for (let attempt = 1; ; attempt++)
    try {
      const hash = createHash("sha256");
      await using copy = await open(file, "w", 0o600);
      for await (const chunk of await app.store.open(reference, { etag, signal })) {
        hash.update(chunk as Buffer);
        await copy.writeFile(chunk as Buffer);
      }
      return hash.digest("hex");
    } catch (error) {
      signal.throwIfAborted();
      if (isStoreError(error, "object_changed"))
        throw new AssetFailed(
          "blob_changed",
          "The uploaded bytes are no longer those that were submitted. Upload the file again.",
          { cause: error },
        );
      if (!isStoreError(error)) throw error;
      if (attempt === fetchTries) throw storageUnavailable(error);
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
}

/** Bytes that are missing may come back: a disk that is not mounted yet, a backup that is being restored. */
function storageUnavailable(error: StoreError): AssetFailed {
  const what =
    error.code === "object_missing"
      ? "The store does not have this asset's file at the moment. Contact your operator, and retry the asset when the file is back."
      : "The store could not be reached. Retry the asset in a few minutes.";
  return new AssetFailed("storage_unavailable", what, { cause: error });
}
