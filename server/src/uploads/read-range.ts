import { buffer } from "node:stream/consumers";
import type { Store } from "../storage/store.ts";
import type { ReadRange } from "./byte-source.ts";

/** Reads parts of one version of an object; `end` is exclusive here, and inclusive on the wire. */
export function readRangeOf(store: Store, { key, etag }: { key: string; etag: string }): ReadRange {
  return async (start, end) =>
    end <= start ? Buffer.alloc(0) : buffer(await store.open(key, { etag, start, end: end - 1 }));
}
