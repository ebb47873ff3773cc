import { createHash, randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../app.ts";
import { orNullIfMissing } from "../storage/folder/durable-file.ts";
import { isStoreError, StoreError } from "../storage/store.ts";
import { AssetFailed } from "./asset-failed.ts";

type Media = { reference: string; etag: string };

const fetchTries = 3;
const silenceMs = 30_000;

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

/**
 * Copies the frozen bytes once, by their etag, and gives their SHA-256. A store out of reach is thrown as it is: the
 * asset can wait for it.
 */
async function fetchMedia(
  app: App,
  { media: { reference, etag }, file, signal }: { media: Media; file: string; signal: AbortSignal },
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    using silence = watchSilence();
    try {
      const hash = createHash("sha256");
      await using copy = await open(file, "w", 0o600);
      const source = await app.store.open(reference, { etag, signal: AbortSignal.any([signal, silence.signal]) });
      for await (const chunk of source) {
        silence.end();
        hash.update(chunk as Buffer);
        await copy.writeFile(chunk as Buffer);
      }
      return hash.digest("hex");
    } catch (thrown) {
      signal.throwIfAborted();
      const error = silence.signal.aborted ? fellSilent(thrown) : thrown;
      if (isStoreError(error, "object_changed"))
        throw new AssetFailed(
          "blob_changed",
          "The uploaded bytes are no longer those that were submitted. Upload the file again.",
          { cause: error },
        );
      if (!isStoreError(error)) throw error;
      if (attempt === fetchTries) throw isStoreError(error, "object_missing") ? bytesMissing(error) : error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  }
}

/** Bytes that are missing may come back: a disk that is not mounted yet, a backup that is being restored. */
function bytesMissing(error: StoreError): AssetFailed {
  return new AssetFailed(
    "storage_unavailable",
    "The store does not have this asset's file at the moment. Contact your operator, and retry the asset when the file is back.",
    { cause: error },
  );
}

/** Aborts when a store stops to send in the middle of a file; each part of it ends one silence and begins the next. */
function watchSilence(): { signal: AbortSignal; end(): void } & Disposable {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  return { signal: silence.signal, end: () => void timer.refresh(), [Symbol.dispose]: () => clearTimeout(timer) };
}

function fellSilent(cause: unknown): StoreError {
  return new StoreError("unavailable", `The object store sent nothing for ${silenceMs / 1000} s.`, { cause });
}
