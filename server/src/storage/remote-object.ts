import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { assertFits, changed, missing } from "./object-errors.ts";
import { isStoreError, StoreError } from "./store.ts";

/** The status and code of a vendor's error, however its SDK spells them; null when no server answered. */
export type VendorError = { status: number; code: string } | null;

export type Translator = {
  /** What the vendor's SDK threw about this key, as an error of the store. */
  translated: (key: string, error: unknown) => unknown;
  attempt: <T>(key: string, operation: Promise<T>) => Promise<T>;
  /** The same bytes; a connection that breaks half-way gives an error of the store, too. */
  stream: (key: string, source: Readable) => Readable;
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
  return {
    translated,
    async attempt(key, operation) {
      try {
        return await operation;
      } catch (error) {
        throw translated(key, error);
      }
    },
    stream(key, source) {
      async function* bytes(): AsyncGenerator<Buffer> {
        try {
          yield* source;
        } catch (error) {
          throw translated(key, error);
        }
      }
      return Readable.from(bytes(), { objectMode: false });
    },
  };
}

export async function unlessMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (isStoreError(error, "object_missing")) return null;
    throw error;
  }
}

/** The body up to the cap, and its SHA-256 once it was read to the end. */
export function meterBody(body: Readable, maxBytes: number): { stream: Readable; sha256(): string } {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  async function* metered(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      sizeBytes += chunk.length;
      assertFits(sizeBytes, maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  return { stream: Readable.from(metered(), { objectMode: false }), sha256: () => hash.digest("hex") };
}
