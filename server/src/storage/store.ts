import type { Readable } from "node:stream";

export type StoredObject = {
  /** Opaque, and different whenever the bytes were replaced. */
  etag: string;
  sizeBytes: number;
  lastModified: Date;
  /** Lower-case hex, where the store itself has computed it; a client's word is never taken for it. */
  sha256: string | null;
};

/** A fixed version of an object: reads and freezes apply to the version that `object` describes, whatever is uploaded meanwhile. */
export type HeldObject = AsyncDisposable & {
  object: StoredObject;
  /** `end` is exclusive. */
  read(start: number, end: number): Promise<Buffer>;
  freeze(): Promise<FrozenObject>;
};

export type FrozenObject = StoredObject & { reference: string };

/** What `GREENLIT_STORE` can name. */
export const storeKinds = ["folder", "azure", "s3"] as const;
export type StoreKind = (typeof storeKinds)[number];
/** Every host reaches it; the folder only those that share the data folder. */
export type RemoteStoreKind = Exclude<StoreKind, "folder">;

/** The object store. Every driver passes `conformance.ts`. */
export interface Store extends AsyncDisposable {
  readonly kind: StoreKind;

  /** An address for one PUT. Clients always send `x-ms-blob-type: BlockBlob`, which other stores than Azure ignore. Only the folder store enforces `maxBytes` itself: elsewhere `head` must. */
  signPut(key: string, options: { expiresAt: Date; maxBytes: number; contentType: string }): Promise<string>;

  /** An address that downloads the object as an attachment. */
  signGet(key: string, options: { expiresAt: Date; filename: string; contentType: string }): Promise<string>;

  put(
    key: string,
    body: Readable,
    options: { maxBytes: number; contentType: string },
  ): Promise<StoredObject & { sha256: string }>;

  head(key: string): Promise<StoredObject | null>;

  /** For callers that inspect an object before they freeze it. */
  hold(key: string): Promise<HeldObject | null>;

  /** `end` is inclusive, as in HTTP; what lies beyond the object's end is empty, not an error. */
  open(key: string, options: { etag: string; start?: number; end?: number; signal?: AbortSignal }): Promise<Readable>;

  /**
   * Takes the bytes out of reach of every address signed for the key, and of `remove(key)`. The reference stands for
   * a key in `head`, `open`, `signGet` and `remove`, under the etag returned here. Freezing the same bytes twice may
   * give the same reference: remove it only when nobody else holds it.
   */
  freeze(key: string, etag: string): Promise<FrozenObject>;

  remove(key: string): Promise<void>;

  /** In no particular order. With `frozen/` in front of the prefix: the references that `freeze` made as copies (none where versions of the object serve as references). */
  list(prefix: string): AsyncIterable<StoredObject & { key: string }>;

  /** The references that `freeze` made of this key. */
  frozenOf(key: string): AsyncIterable<string>;

  /** Removes what unfinished uploads left behind, never an object. */
  sweep(options: { olderThan: Date }): Promise<{ removedFiles: number }>;

  /** Throws when the store is out of reach. */
  check(): Promise<void>;
}

export type StoreErrorCode =
  | "too_large"
  | "quota_exceeded"
  | "disk_full"
  | "object_missing"
  | "object_changed"
  | "object_exists"
  | "object_frozen"
  | "checksum_mismatch"
  | "invalid_key"
  | "unavailable";

export class StoreError extends Error {
  override name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

export function isStoreError(error: unknown, ...codes: StoreErrorCode[]): error is StoreError {
  return error instanceof StoreError && (codes.length === 0 || codes.includes(error.code));
}

export const maxKeyBytes = 700;
const frozenPrefix = "frozen/";

/** Refuses keys that some store would confuse with another or could not return: Azure drops a dot at a segment's end, XML cannot carry controls. */
export function assertKey(key: string): void {
  const problem = problemOf(key);
  if (problem) throw new StoreError("invalid_key", `The key ${JSON.stringify(key.slice(0, 100))} ${problem}.`);
}

/** What `freeze` returned, taken apart; null when it is a plain key. */
export function parseReference(reference: string): { key: string; id: string } | null {
  if (!reference.startsWith(frozenPrefix)) return null;
  const cut = reference.lastIndexOf("/");
  const key = reference.slice(frozenPrefix.length, cut);
  assertKey(key);
  return { key, id: reference.slice(cut + 1) };
}

export function referenceTo(key: string, id: string): string {
  return `${frozenPrefix}${key}/${id}`;
}

/** For stores whose lists are as fast as their prefix is long. */
export async function* frozenByPrefix(store: Pick<Store, "list">, key: string): AsyncGenerator<string> {
  // No slash behind it: stores go by the prefix of the key that was frozen.
  for await (const { key: reference } of store.list(frozenPrefix + key))
    if (parseReference(reference)?.key === key) yield reference;
}

/** The prefix of keys that the prefix of references stands for; null when plain keys are meant. */
export function frozenPrefixOf(prefix: string): string | null {
  return prefix.startsWith(frozenPrefix) ? prefix.slice(frozenPrefix.length) : null;
}

/** A `Content-Disposition` that survives any filename: ASCII for old clients, RFC 5987 for the rest. */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function problemOf(key: string): string | null {
  if (key === "") return "is empty";
  if (Buffer.byteLength(key) > maxKeyBytes) return `is longer than ${maxKeyBytes} bytes`;
  if (!key.isWellFormed()) return "is not well-formed Unicode";
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\ufffe\uffff\\]/.test(key)) return "has a control character or a backslash";
  if (key.startsWith(frozenPrefix)) return `begins with the reserved ${frozenPrefix}`;
  if (key.split("/").some((segment) => segment === "" || segment.endsWith(".")))
    return "has a segment that is empty or ends with a dot";
  return null;
}
