import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { testFreezing } from "./conformance-freezing.ts";
import { maxKeyBytes, type Store } from "../store.ts";
import {
  chunked,
  found,
  inAnHour,
  newKey,
  newWorkspace,
  put,
  putText,
  rejectsWith,
  signPut,
  upload,
  videoType,
} from "./test-objects.ts";

export const oddNames = [
  "(1) ~it's+100%!*.mp4",
  "two  spaces and a,comma;semi=colon&and@at$",
  "#frag?query=1&sig=x%2F..%2e",
  "Zażółć gęślą jaźń – café.mov",
  "café decomposed.mov",
  "日本語/ファイル.png",
  "👩‍🚀 rocket 🚀.gif",
  "UPPER.MP4",
  "upper.mp4",
  ".hidden/..double",
  "<tag> & \"quotes\" 'single' `tick` |pipe^",
  // As long as a key may be, with the workspace before it.
  `long/${"x".repeat(maxKeyBytes - 27)}é`,
];

export const refusedKeys = [
  "",
  "/lead",
  "trail/",
  "a//b",
  "a/../b",
  "..",
  "a/.",
  "a/dot.",
  "nul\0",
  "line\nbreak",
  "del\u007f",
  "back\\slash",
  "lone\ud800",
  "frozen/ws/x",
  "x".repeat(maxKeyBytes + 1),
];

/** What every driver must do. `open` makes a store that no other run writes to at the same time. */
export function testConformance(
  name: string,
  options: {
    open: () => Promise<Store>;
    /** A store that freezes without making anything new has nothing to list. */ listsReferences?: boolean;
  },
): void {
  describe(`${name} conforms`, { concurrency: false }, () => {
    let store: Store;
    before(async () => {
      store = await options.open();
    });
    after(() => store[Symbol.asyncDispose]());

    test("a signed PUT stores the bytes", async () => {
      const key = newKey();
      const bytes = randomBytes(100_000);

      const response = await upload(store, key, bytes);

      assert.ok(response.ok, `${response.status} ${await response.text()}`);
      const object = await found(store, key);
      assert.equal(object.sizeBytes, bytes.length);
      assert.ok(Math.abs(object.lastModified.getTime() - Date.now()) < 60_000);
      assert.ok(bytes.equals(await buffer(await store.open(key, object))));
    });

    test("a signed PUT works whatever content type the client sends, or none", async () => {
      for (const headers of [{}, { "content-type": "application/octet-stream" }, { "content-type": "text/plain" }]) {
        const key = newKey();

        const response = await upload(store, key, Buffer.from("x"), headers);

        assert.ok(response.ok, `${response.status} ${await response.text()}`);
      }
    });

    test("403, and nothing stored, when the address expired, was altered or was signed for another key", async () => {
      const key = newKey();
      const url = await signPut(store, key);
      const other = await signPut(store, newKey());
      const expired = await store.signPut(key, {
        expiresAt: new Date(Date.now() - 5000),
        maxBytes: 1e6,
        contentType: videoType,
      });
      const signature = /([?&](?:sig|X-Amz-Signature)=)(.)/i;
      const altered = url.replace(signature, (_, name, first) => `${name}${first === "a" ? "b" : "a"}`);
      const replayed = Object.assign(new URL(other), { pathname: new URL(url).pathname }).href;

      for (const address of [expired, altered, replayed]) {
        const response = await put(address, Buffer.from("x"));

        assert.equal(response.status, 403, address);
      }
      assert.equal(await store.head(key), null);
    });

    test("ranges are inclusive, and empty beyond the end", async () => {
      const key = newKey();
      const { etag } = await store.put(key, Readable.from([Buffer.from("0123456789")]), {
        maxBytes: 10,
        contentType: videoType,
      });
      const read = async (start?: number, end?: number) =>
        text(
          await store.open(key, {
            etag,
            ...(start === undefined ? {} : { start }),
            ...(end === undefined ? {} : { end }),
          }),
        );

      assert.equal(await read(), "0123456789");
      assert.equal(await read(0, 3), "0123");
      assert.equal(await read(3, 3), "3");
      assert.equal(await read(7), "789");
      assert.equal(await read(undefined, 4), "01234");
      assert.equal(await read(8, 4000), "89");
      assert.equal(await read(10), "");
      assert.equal(await read(11, 4000), "");
    });

    test("an empty object is stored and read", async () => {
      const key = newKey();
      const { etag, sizeBytes, sha256 } = await store.put(key, Readable.from([]), {
        maxBytes: 10,
        contentType: videoType,
      });

      assert.equal(sizeBytes, 0);
      assert.equal(sha256, createHash("sha256").digest("hex"));
      assert.equal(await text(await store.open(key, { etag })), "");
      assert.equal(await text(await store.open(key, { etag, start: 0, end: 99 })), "");
    });

    test("put streams a body of several parts and tells its size and SHA-256", async () => {
      const key = newKey();
      const bytes = randomBytes(20 * 1024 * 1024 + 1);

      const stored = await store.put(key, chunked(bytes), { maxBytes: bytes.length, contentType: videoType });

      assert.equal(stored.sizeBytes, bytes.length);
      assert.equal(stored.sha256, createHash("sha256").update(bytes).digest("hex"));
      assert.ok(bytes.equals(await buffer(await store.open(key, stored))));
    });

    test("put stops at the cap and stores nothing", async () => {
      for (const sizeBytes of [11, 20 * 1024 * 1024]) {
        const key = newKey();
        const body = chunked(randomBytes(sizeBytes));

        await rejectsWith("too_large", store.put(key, body, { maxBytes: 10, contentType: videoType }));

        assert.equal(await store.head(key), null);
        assert.ok(body.destroyed);
      }
    });

    test("put stores nothing when its source breaks", async () => {
      const key = newKey();
      async function* breaking() {
        yield randomBytes(1000);
        throw new Error("the source broke");
      }

      await assert.rejects(
        store.put(key, Readable.from(breaking(), { objectMode: false }), { maxBytes: 1e6, contentType: videoType }),
        /source broke/,
      );

      assert.equal(await store.head(key), null);
    });

    test("the etag changes with the bytes, and the old one opens nothing any more", async () => {
      const key = newKey();
      const first = await putText(store, key, "first");
      const second = await putText(store, key, "other");

      assert.notEqual(first.etag, second.etag);
      await rejectsWith("object_changed", store.open(key, { etag: first.etag }));
      assert.equal(await text(await store.open(key, { etag: second.etag })), "other");
    });

    test("what is missing is null to head and an error to open and freeze", async () => {
      const { etag } = await putText(store, newKey(), "x");
      const key = newKey();

      assert.equal(await store.head(key), null);
      await rejectsWith("object_missing", store.open(key, { etag }));
      await rejectsWith("object_missing", store.freeze(key, etag));
    });

    test("remove removes, and may be repeated", async () => {
      const key = newKey();
      const { etag } = await putText(store, key, "x");

      await store.remove(key);
      await store.remove(key);

      assert.equal(await store.head(key), null);
      await rejectsWith("object_missing", store.open(key, { etag }));
    });

    test("an aborted read ends with an error", async () => {
      const key = newKey();
      const { etag } = await store.put(key, chunked(randomBytes(5_000_000)), { maxBytes: 1e7, contentType: videoType });
      const controller = new AbortController();
      const stream = await store.open(key, { etag, signal: controller.signal });

      controller.abort();

      await assert.rejects(buffer(stream));
    });

    test("odd names come back as they were, by every way", async () => {
      const workspace = newWorkspace();
      const keys = oddNames.map((name) => `${workspace}/${name}`);
      for (const key of keys) {
        const response = await upload(store, key, Buffer.from(key));
        assert.ok(response.ok, `${response.status} for ${key}: ${await response.text()}`);
      }

      for (const key of keys) {
        const object = await found(store, key);
        assert.equal(await text(await store.open(key, object)), key);
        const { reference } = await store.freeze(key, object.etag);
        const url = await store.signGet(reference, { expiresAt: inAnHour(), filename: key, contentType: videoType });
        assert.equal(await (await fetch(url)).text(), key);
      }
      const listed = await Array.fromAsync(store.list(`${workspace}/`), ({ key }) => key);
      assert.deepEqual(listed.toSorted(), keys.toSorted());
    });

    test("keys that some store could not keep apart are refused", async () => {
      for (const key of refusedKeys) {
        await rejectsWith("invalid_key", signPut(store, key));
        await rejectsWith("invalid_key", store.put(key, Readable.from([]), { maxBytes: 1, contentType: videoType }));
        if (key !== "frozen/ws/x") await rejectsWith("invalid_key", store.head(key));
      }
    });

    test("list gives what begins with the prefix, with size and etag, and nothing else", async () => {
      const workspace = newWorkspace();
      const stored = await putText(store, `${workspace}/a-1`, "one");
      await putText(store, `${workspace}/a-2`, "two!");
      await putText(store, `${workspace}/b`, "three");
      await putText(store, `${workspace}x/a-1`, "four");
      const list = (prefix: string) => Array.fromAsync(store.list(prefix));

      assert.deepEqual(
        (await list(`${workspace}/`)).map(({ key }) => key).toSorted(),
        ["a-1", "a-2", "b"].map((name) => `${workspace}/${name}`),
      );
      assert.equal((await list(workspace)).length, 4);
      assert.deepEqual(await list(`${newWorkspace()}/`), []);
      const first = (await list(`${workspace}/a-`)).find(({ key }) => key.endsWith("1"));
      assert.equal(first?.etag, stored.etag);
      assert.equal(first.sizeBytes, 3);
    });

    testFreezing(() => store, options);

    test("a sweep never removes an object or a reference", async () => {
      const key = newKey();
      const object = await putText(store, key, "kept");
      const frozen = await store.freeze(key, object.etag);

      await store.sweep({ olderThan: new Date(Date.now() + 60_000) });

      assert.equal(await text(await store.open(key, object)), "kept");
      assert.equal(await text(await store.open(frozen.reference, frozen)), "kept");
    });

    test("check is content with a store in reach", async () => {
      await store.check();
    });
  });
}
