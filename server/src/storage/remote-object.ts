import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { assertFits, changed, missing } from "./object-errors.ts";
import { type HeldObject, isStoreError, type Store, StoreError } from "./store.ts";

/** The status and code of a vendor's error, however its SDK spells them; null when no server answered. */
export type VendorError = { status: number; code: string } | null;

/** For the few bytes that are looked at before an object is frozen. */
const readMs = 20_000;

type Head = (key: string) => Promise<unknown>;

export type Translator = {
  /** What the vendor's SDK threw about this key, as an error of the store. */
  translated: (key: string, error: unknown) => unknown;
  attempt: <T>(key: string, operation: Promise<T>) => Promise<T>;
  /** For an operation with `If-Match`. Some servers answer 412 for a missing object too. */
  attemptIfMatch: <T>(key: string, operation: Promise<T>, head: Head) => Promise<T>;
  /** The same bytes, none when the range lies beyond the end, and an error of the store when the connection breaks half-way. */
  openIfMatch: (key: string, body: Promise<Readable>, head: Head) => Promise<Readable>;
};

export function createTranslator(read: (error: unknown) => VendorError): Translator {
  const translated = (key: string, error: unknown): unknown => {
    if (isStoreError(error) || !(error instanceof Error) || error.name === "AbortError") return error;
    const answer = read(error);
    if (answer?.status === 404) return missing(key);
    if (answer?.status === 412) return changed(key);
    const reason = answer ? `answered ${answer.status} ${answer.code}` : "did not answer";
    return new StoreError("unavailable", `The object store ${reason}.`, { cause: error });
  };

  const attempt = async <T>(key: string, operation: Promise<T>): Promise<T> => {
    try {
      return await operation;
    } catch (error) {
      throw translated(key, error);
    }
  };

  const attemptIfMatch = async <T>(key: string, operation: Promise<T>, head: Head): Promise<T> => {
    try {
      return await attempt(key, operation);
    } catch (error) {
      if (isStoreError(error, "object_changed") && (await head(key)) === null) throw missing(key);
      throw error;
    }
  };

  async function* bytesOf(key: string, source: Readable): AsyncGenerator<Buffer> {
    try {
      yield* source;
    } catch (error) {
      throw translated(key, error);
    }
  }

  return {
    translated,
    attempt,
    attemptIfMatch,
    async openIfMatch(key, body, head) {
      try {
        return Readable.from(bytesOf(key, await attemptIfMatch(key, body, head)), { objectMode: false });
      } catch (error) {
        if (isStoreError(error) && read(error.cause)?.status === 416) return Readable.from([]);
        throw error;
      }
    },
  };
}

/** Nothing is open between two requests: the etag holds the version. */
export async function holdByEtag(
  store: Pick<Store, "head" | "open" | "freeze">,
  key: string,
): Promise<HeldObject | null> {
  const object = await store.head(key);
  if (!object) return null;
  const { etag } = object;
  return {
    object,
    async read(start, end) {
      if (end <= start) return Buffer.alloc(0);
      const signal = AbortSignal.timeout(readMs);
      try {
        return await buffer(await store.open(key, { etag, start, end: end - 1, signal }));
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new StoreError("unavailable", "The object store did not answer in time.", { cause: error });
      }
    },
    freeze: () => store.freeze(key, etag),
    async [Symbol.asyncDispose]() {},
  };
}

/** For `check`: whatever goes wrong, the store is out of reach. */
export async function reach(what: string, operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    throw new StoreError("unavailable", `${what} is out of reach.`, { cause: error });
  }
}

export async function unlessMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (isStoreError(error, "object_missing")) return null;
    throw error;
  }
}

/** Uploads the body up to the cap. When the body itself breaks, its own error is thrown and not what the vendor's SDK made of it. */
export async function uploadMetered<T>(
  body: Readable,
  options: { maxBytes: number; upload: (stream: Readable) => Promise<T> },
): Promise<{ result: T; sha256: string }> {
  const hash = createHash("sha256");
  const failures: unknown[] = [];
  let sizeBytes = 0;
  async function* metered(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) {
        sizeBytes += chunk.length;
        assertFits(sizeBytes, options.maxBytes);
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
  try {
    const result = await options.upload(Readable.from(metered(), { objectMode: false }));
    return { result, sha256: hash.digest("hex") };
  } catch (error) {
    body.destroy();
    throw failures[0] ?? error;
  }
}
