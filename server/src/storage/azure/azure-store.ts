import { Readable } from "node:stream";
import type * as Sdk from "@azure/storage-blob";
import { changed } from "../object-errors.ts";
import {
  createTranslator,
  holdByEtag,
  reach,
  unlessMissing,
  uploadMetered,
  type VendorError,
} from "../remote-object.ts";
import { silenceLimitMs, unlessSilent, type Watched } from "../silence.ts";
import {
  assertKey,
  attachment,
  frozenByPrefix,
  frozenPrefixOf,
  isStoreError,
  parseReference,
  referenceTo,
  type Store,
  StoreError,
  type StoredObject,
} from "../store.ts";

export type AzureStoreOptions = {
  account: { connectionString: string } | { name: string; key: string; endpoint?: string | undefined };
  container: string;
  /** Makes the container when it is missing. */
  createContainer?: boolean;
  /** After this a store that says nothing is out of reach. */
  silenceMs?: number;
};

const blockBytes = 8 * 1024 * 1024;
const checkTimeoutMs = 5000;
/** It says nothing while a block is sent, however slow the line is. */
const blockSilences = 8;
/** On an object that was removed while snapshots of it are in use: Azure keeps an object as long as it has snapshots. */
const removedMark = { greenlitremoved: "true" };

const { attempt, attemptIfMatch, openIfMatch, translated } = createTranslator(readError);

/** Azure Blob Storage. A frozen reference is a snapshot. */
export async function openAzureStore(options: AzureStoreOptions): Promise<Store> {
  // Loaded here, so that only users of this driver wait for the SDK.
  const sdk = await import("@azure/storage-blob");
  const container = connect(sdk, options).getContainerClient(options.container);
  const { silenceMs = silenceLimitMs } = options;
  const ask = <T>(key: string, run: (settings: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> =>
    attempt(
      key,
      unlessSilent(silenceMs, ({ signal }) => run({ abortSignal: signal })),
    );
  if (options.createContainer) await ask(options.container, (settings) => container.createIfNotExists(settings));

  const blobOf = (key: string): Sdk.BlobClient => {
    const frozen = parseReference(key);
    if (!frozen) assertKey(key);
    const blob = container.getBlobClient(frozen?.key ?? key);
    return frozen ? blob.withSnapshot(frozen.id) : blob;
  };

  const sign = (key: string, permissions: string, rest: Sdk.BlobGenerateSasUrlOptions): Promise<string> =>
    blobOf(key).generateSasUrl({ ...rest, permissions: sdk.BlobSASPermissions.parse(permissions) });

  // A connection string without the account's key cannot sign, which the first upload should not be the one to find out.
  await sign("check", "r", { expiresOn: new Date() });

  const propertiesOf = (key: string) => unlessMissing(ask(key, (settings) => blobOf(key).getProperties(settings)));

  const head = async (key: string): Promise<StoredObject | null> => {
    const properties = await propertiesOf(key);
    return properties && !isRemoved(properties.metadata) ? describe(properties) : null;
  };

  const removeObject = async (key: string): Promise<void> => {
    try {
      await unlessMissing(ask(key, (settings) => blobOf(key).delete(settings)));
    } catch (error) {
      if (!isStoreError(error) || readError(error.cause)?.code !== "SnapshotsPresent") throw error;
      await unlessMissing(ask(key, (settings) => blobOf(key).setMetadata(removedMark, settings)));
    }
  };

  const store: Store = {
    kind: "azure",
    head,
    hold: (key) => holdByEtag(store, key),

    // A signature of Azure's has no size cap: `head` finds out afterwards.
    async signPut(key, { expiresAt }) {
      assertKey(key);
      return await sign(key, "cw", { expiresOn: expiresAt });
    },

    async signGet(key, { expiresAt, filename, contentType }) {
      return await sign(key, "r", { expiresOn: expiresAt, contentDisposition: attachment(filename), contentType });
    },

    async put(key, body, { maxBytes, contentType }) {
      assertKey(key);
      const blob = container.getBlockBlobClient(key);
      const settings = { blobHTTPHeaders: { blobContentType: contentType } };
      const send = (stream: Readable) => (watched: Watched) =>
        blob.uploadStream(heardOf(stream, watched), blockBytes, 2, {
          ...settings,
          abortSignal: watched.signal,
          onProgress: watched.heard,
        });
      const upload = (stream: Readable) => attempt(key, unlessSilent(silenceMs * blockSilences, send(stream)));
      const { result, sha256 } = await uploadMetered(body, { maxBytes, upload });
      const object = await head(key);
      if (!object || object.etag !== result.etag) throw changed(key);
      return { ...object, sha256 };
    },

    async open(key, { etag, start = 0, end, signal }) {
      const count = end === undefined ? undefined : end - start + 1;
      const settings = {
        conditions: { ifMatch: etag },
        maxRetryRequests: 3,
      };
      // Only until it begins to answer: a reader may pause as long as a person pauses a film.
      const begin = (watched: Watched) =>
        blobOf(key).download(start, count, { ...settings, abortSignal: watched.signal });
      const download = unlessSilent(silenceMs, begin, signal);
      return await openIfMatch(key, download.then(bodyOf), head);
    },

    async freeze(key, etag) {
      assertKey(key);
      const conditions = { ifMatch: etag };
      const operation = unlessSilent(silenceMs, ({ signal }) =>
        blobOf(key).createSnapshot({ conditions, abortSignal: signal }),
      );
      const { snapshot } = await attemptIfMatch(key, operation, head);
      const reference = referenceTo(key, snapshot ?? "");
      const object = await head(reference);
      if (!object) throw new StoreError("unavailable", "The object store does not have the snapshot it has just made.");
      return { ...object, reference };
    },

    async remove(key) {
      const frozen = parseReference(key);
      if (!frozen) return await removeObject(key);
      await unlessMissing(ask(key, (settings) => blobOf(key).delete(settings)));
      if (isRemoved((await propertiesOf(frozen.key))?.metadata)) await removeObject(frozen.key);
    },

    frozenOf(key) {
      return frozenByPrefix(this, key);
    },

    async *list(prefix) {
      const ofReferences = frozenPrefixOf(prefix);
      const includeSnapshots = ofReferences !== null;
      const gone = new AbortController();
      const blobs = container.listBlobsFlat({
        abortSignal: gone.signal,
        prefix: ofReferences ?? prefix,
        includeSnapshots,
        includeMetadata: true,
      });
      try {
        for (;;) {
          const next = await unlessSilent(silenceMs, ({ signal }) => {
            signal.addEventListener("abort", () => gone.abort(), { once: true });
            return blobs.next();
          });
          if (next.done) return;
          const { name, snapshot, properties, metadata } = next.value;
          if (includeSnapshots ? snapshot : !isRemoved(metadata))
            yield { key: snapshot ? referenceTo(name, snapshot) : name, ...describe(properties) };
        }
      } catch (error) {
        throw translated(prefix, error);
      }
    },

    // Azure itself drops blocks that no block list took, after a week.
    async sweep() {
      return { removedFiles: 0 };
    },

    async check() {
      const operation = container.getProperties({ abortSignal: AbortSignal.timeout(checkTimeoutMs) });
      await reach(`The container ${options.container}`, operation);
    },

    async [Symbol.asyncDispose]() {},
  };
  return store;
}

function connect(sdk: typeof Sdk, { account }: AzureStoreOptions): Sdk.BlobServiceClient {
  const retryOptions = { maxTries: 4, retryDelayInMs: 500, maxRetryDelayInMs: 5000 };
  if ("connectionString" in account)
    return sdk.BlobServiceClient.fromConnectionString(account.connectionString, { retryOptions });
  const { name, key, endpoint = `https://${name}.blob.core.windows.net` } = account;
  return new sdk.BlobServiceClient(endpoint, new sdk.StorageSharedKeyCredential(name, key), { retryOptions });
}

function describe(properties: { etag?: string; contentLength?: number; lastModified?: Date }): StoredObject {
  const { etag = "", contentLength = 0, lastModified = new Date(0) } = properties;
  // A listing gives the etag without its quotes.
  return { etag: etag.startsWith('"') ? etag : `"${etag}"`, sizeBytes: contentLength, lastModified, sha256: null };
}

function bodyOf({ readableStreamBody }: Sdk.BlobDownloadResponseParsed): Readable {
  return (readableStreamBody as Readable | undefined) ?? Readable.from([]);
}

/** A caller who sends slowly is no silence of the store. */
function heardOf(body: Readable, { heard }: Watched): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      heard();
      yield chunk as Buffer;
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}

function isRemoved(metadata: Record<string, string> | undefined): boolean {
  return metadata?.["greenlitremoved"] === removedMark.greenlitremoved;
}

function readError(error: unknown): VendorError {
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string };
  return statusCode === undefined ? null : { status: statusCode, code: code ?? "" };
}
