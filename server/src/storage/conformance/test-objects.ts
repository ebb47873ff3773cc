import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { isStoreError, type Store, type StoreErrorCode } from "../store.ts";

export const videoType = "video/mp4";
export const inAnHour = () => new Date(Date.now() + 60 * 60 * 1000);

export async function rejectsWith(code: StoreErrorCode, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(isStoreError(error, code), `expected ${code}, got ${String(error)}`);
    return true;
  });
}

export function newWorkspace(): string {
  return `ws_${randomBytes(16).toString("hex").slice(0, 16)}`;
}

export function newKey(): string {
  return `${newWorkspace()}/${randomUUID()}`;
}

export function put(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "PUT",
    body: new Uint8Array(body),
    headers: { "x-ms-blob-type": "BlockBlob", ...headers },
  });
}

export function signPut(store: Store, key: string): Promise<string> {
  return store.signPut(key, { expiresAt: inAnHour(), maxBytes: 1e6, contentType: videoType });
}

export async function upload(
  store: Store,
  key: string,
  body: Buffer,
  headers?: Record<string, string>,
): Promise<Response> {
  return put(await signPut(store, key), body, headers);
}

export async function putText(store: Store, key: string, content: string) {
  return store.put(key, Readable.from([Buffer.from(content)], { objectMode: false }), {
    maxBytes: 1e6,
    contentType: videoType,
  });
}

export async function found(store: Store, key: string) {
  const object = await store.head(key);
  assert.ok(object, `${key} is not there`);
  return object;
}

export function chunked(bytes: Buffer): Readable {
  function* chunks() {
    for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
  }
  return Readable.from(chunks(), { objectMode: false });
}
