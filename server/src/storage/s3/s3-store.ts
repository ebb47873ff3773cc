import type { Readable } from "node:stream";
import { changed } from "../object-errors.ts";
import { holdByEtag, reach, unlessMissing, uploadMetered } from "../remote-object.ts";
import { attempt, attemptIfMatch, describe, openIfMatch, type S3Bucket, translated } from "./s3-bucket.ts";
import { freezeByCopy } from "./s3-freeze.ts";
import { abortUploads, putParts } from "./s3-parts.ts";
import { silenceLimitMs } from "../silence.ts";
import {
  assertKey,
  attachment,
  frozenByPrefix,
  frozenPrefixOf,
  parseReference,
  referenceTo,
  type Store,
  type StoredObject,
} from "../store.ts";

export type S3StoreOptions = {
  bucket: string;
  region: string;
  /** For anything but Amazon's own. */
  endpoint?: string | undefined;
  /** The bucket in the path and not in the host's name, as most other servers want it. */
  forcePathStyle?: boolean;
  /** Left out: wherever the SDK finds them (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
};

const checkTimeoutMs = 5000;
const patientSilenceMs = 600_000;
const versionPrefix = "version:";

/** Any server that speaks S3. A frozen reference is a version where the bucket keeps them, and a copy where not. */
export async function openS3Store(options: S3StoreOptions): Promise<Store> {
  // Only who uses them waits for the SDKs to load.
  const [sdk, { getSignedUrl }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  const { bucket, endpoint, credentials } = options;
  const connectTo = (socketTimeout: number) =>
    new sdk.S3Client({
      region: options.region,
      forcePathStyle: options.forcePathStyle ?? false,
      ...(endpoint ? { endpoint } : {}),
      ...(credentials ? { credentials } : {}),
      // Otherwise a presigned address carries the checksum of an empty body, and every upload to it fails.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 5000, socketTimeout },
    });
  const client = connectTo(silenceLimitMs);
  // A server is silent while it copies a large object, and a reader may pause as long as a person pauses a film.
  const patient = connectTo(patientSilenceMs);
  const target: S3Bucket = { sdk, client, bucket };

  const locate = (key: string): { Bucket: string; Key: string; VersionId?: string } => {
    const frozen = parseReference(key);
    if (!frozen) assertKey(key);
    if (!frozen?.id.startsWith(versionPrefix)) return { Bucket: bucket, Key: key };
    return { Bucket: bucket, Key: frozen.key, VersionId: decodeURIComponent(frozen.id.slice(versionPrefix.length)) };
  };

  const lifetime = (expiresAt: Date): { signingDate: Date; expiresIn: number } => {
    // One that is already over is signed in the past: the SDK refuses a lifetime of nothing.
    const signingDate = new Date(Math.min(Date.now(), expiresAt.getTime() - 1000));
    return { signingDate, expiresIn: Math.ceil((expiresAt.getTime() - signingDate.getTime()) / 1000) };
  };

  const head = async (key: string): Promise<StoredObject | null> => {
    const found = await unlessMissing(attempt(key, client.send(new sdk.HeadObjectCommand(locate(key)))));
    return found && describe(found);
  };

  const store: Store = {
    kind: "s3",
    head,
    hold: (key) => holdByEtag(store, key),

    // Neither size nor content type can be signed: the client is free in what it says of them. `head` finds out afterwards.
    async signPut(key, { expiresAt }) {
      assertKey(key);
      return await getSignedUrl(client, new sdk.PutObjectCommand({ Bucket: bucket, Key: key }), lifetime(expiresAt));
    },

    async signGet(key, { expiresAt, filename, contentType }) {
      const answer = { ResponseContentDisposition: attachment(filename), ResponseContentType: contentType };
      return await getSignedUrl(client, new sdk.GetObjectCommand({ ...locate(key), ...answer }), lifetime(expiresAt));
    },

    async put(key, body, { maxBytes, contentType }) {
      assertKey(key);
      const upload = (stream: Readable) => attempt(key, putParts(target, { key, contentType, body: stream }));
      const { result: etag, sha256 } = await uploadMetered(body, { maxBytes, upload });
      const object = await head(key);
      if (!object || object.etag !== etag) throw changed(key);
      return { ...object, sha256 };
    },

    async open(key, { etag, start, end, signal }) {
      const range = start === undefined && end === undefined ? {} : { Range: `bytes=${start ?? 0}-${end ?? ""}` };
      const command = new sdk.GetObjectCommand({ ...locate(key), IfMatch: etag, ...range });
      const answer = patient.send(command, signal ? { abortSignal: signal } : {});
      return await openIfMatch(
        key,
        answer.then(({ Body }) => Body as Readable),
        head,
      );
    },

    async freeze(key, etag) {
      assertKey(key);
      const operation = client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag }));
      const source = await attemptIfMatch(key, operation, head);
      if (source.ETag !== etag) throw changed(key);
      const { VersionId: version } = source;
      if (version === undefined || version === "null")
        return await freezeByCopy({ ...target, client: patient }, { key, source });
      const reference = referenceTo(key, versionPrefix + encodeURIComponent(version));
      return { ...describe(source), reference };
    },

    // In a bucket that keeps versions this only hides the object: one of its versions may be frozen, so the rest is left to the bucket's lifecycle.
    async remove(key) {
      await unlessMissing(attempt(key, client.send(new sdk.DeleteObjectCommand(locate(key)))));
    },

    frozenOf(key) {
      return frozenByPrefix(this, key);
    },

    async *list(prefix) {
      const isOfReferences = frozenPrefixOf(prefix) !== null;
      try {
        for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
          for (const { Key: key = "", ...object } of page.Contents ?? [])
            if (isOfReferences || frozenPrefixOf(key) === null) yield { key, ...describe(object) };
        }
      } catch (error) {
        throw translated(prefix, error);
      }
    },

    async sweep({ olderThan }) {
      return { removedFiles: await attempt(bucket, abortUploads(target, { olderThan })) };
    },

    async check() {
      const abortSignal = AbortSignal.timeout(checkTimeoutMs);
      await reach(`The bucket ${bucket}`, client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), { abortSignal }));
    },

    async [Symbol.asyncDispose]() {
      client.destroy();
      patient.destroy();
    },
  };
  return store;
}
