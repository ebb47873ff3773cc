import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { isStoreError, type Store } from "../store.ts";
import { found, inAnHour, newKey, newWorkspace, put, putText, rejectsWith, signPut } from "./test-objects.ts";

/** The part of the conformance that is about what a submission took. */
export function testFreezing(currentStore: () => Store, options: { listsReferences?: boolean }): void {
  test("what is frozen stays, although the address is still alive and the object is removed", async () => {
    const store = currentStore();
    const key = newKey();
    const url = await signPut(store, key);
    await put(url, Buffer.from("what was checked"));
    const { etag } = await found(store, key);

    const frozen = await store.freeze(key, etag);
    await put(url, Buffer.from("what came after!"));

    assert.equal(frozen.sizeBytes, 16);
    assert.equal(await text(await store.open(frozen.reference, frozen)), "what was checked");
    await store.remove(key);
    assert.equal(await store.head(key), null);
    assert.equal(await text(await store.open(frozen.reference, frozen)), "what was checked");
    assert.equal((await found(store, frozen.reference)).etag, frozen.etag);
  });

  test("a frozen reference is removed for good, whether before or after the object", async () => {
    const store = currentStore();
    for (const isObjectFirst of [true, false]) {
      const key = newKey();
      const { etag } = await putText(store, key, "x");
      const { reference } = await store.freeze(key, etag);

      const order = isObjectFirst ? [key, reference] : [reference, key];
      for (const name of [...order, reference]) await store.remove(name);

      assert.equal(await store.head(reference), null);
      assert.equal(await store.head(key), null);
      const workspace = key.split("/")[0];
      assert.deepEqual(await Array.fromAsync(store.list(`frozen/${workspace}/`)), []);
      assert.deepEqual(await Array.fromAsync(store.list(`${workspace}/`)), []);
    }
  });

  test("freezing takes the bytes of that etag or nothing", async () => {
    const store = currentStore();
    const key = newKey();
    const { etag } = await putText(store, key, "old");
    const { etag: newEtag } = await putText(store, key, "new");

    await rejectsWith("object_changed", store.freeze(key, etag));

    const [first, second] = [await store.freeze(key, newEtag), await store.freeze(key, newEtag)];
    for (const frozen of [first, second]) assert.equal(await text(await store.open(frozen.reference, frozen)), "new");
  });

  test("an object in hand is read and frozen as it was when it was taken, or has changed", async () => {
    const store = currentStore();
    const key = newKey();
    assert.equal(await store.hold(key), null);
    await putText(store, key, "0123456789");

    await using held = await store.hold(key);

    assert.ok(held);
    assert.equal((await held.read(2, 5)).toString(), "234");
    assert.equal((await held.read(8, 99)).toString(), "89");
    assert.equal((await held.read(10, 99)).toString(), "");
    const frozen = await held.freeze();
    assert.equal(await text(await store.open(frozen.reference, frozen)), "0123456789");
    await store.remove(frozen.reference);
    await putText(store, key, "other");
    await rejectsWith("object_changed", held.freeze());
    await store.remove(key);
    await rejectsWith("object_missing", held.freeze());
  });

  test("frozen references are listed under their own prefix only", async () => {
    const store = currentStore();
    const workspace = newWorkspace();
    const key = `${workspace}/a`;
    const { etag } = await putText(store, key, "abc");
    const { reference } = await store.freeze(key, etag);

    const expected = options.listsReferences === false ? [] : [reference];
    assert.deepEqual(await Array.fromAsync(store.list(`frozen/${workspace}/`), ({ key }) => key), expected);
    assert.deepEqual(await Array.fromAsync(store.list(`${workspace}/`), ({ key }) => key), [key]);
    for await (const object of store.list("")) assert.ok(!object.key.startsWith("frozen/"));
  });

  test("a download is an attachment of the asked name and type, by ranges too, and ends with its signature", async () => {
    const store = currentStore();
    const key = newKey();
    const { etag } = await putText(store, key, "0123456789");
    const { reference } = await store.freeze(key, etag);
    const filename = 'Ünï "code" (1)*.mp4';
    const sign = (expiresAt: Date) => store.signGet(reference, { expiresAt, filename, contentType: "video/webm" });

    const response = await fetch(await sign(inAnHour()), { headers: { range: "bytes=2-4" } });

    assert.equal(response.status, 206);
    assert.equal(await response.text(), "234");
    assert.equal(response.headers.get("content-type"), "video/webm");
    const disposition = response.headers.get("content-disposition") ?? "";
    assert.match(disposition, /^attachment;/);
    assert.match(disposition, /filename\*=UTF-8''%C3%9Cn%C3%AF%20%22code%22%20%281%29%2A\.mp4$/);
    assert.equal((await fetch(await sign(new Date(Date.now() - 5000)))).status, 403);
  });

  test("an upload that races the freezing is not in what was frozen", async () => {
    const store = currentStore();
    const key = newKey();
    const url = await signPut(store, key);
    for (let round = 0; round < 10; round++) {
      await store.remove(key);
      const { etag } = await putText(store, key, `checked ${round}`);

      const [frozen] = await Promise.allSettled([store.freeze(key, etag), put(url, Buffer.from(`sneaked ${round}`))]);

      if (frozen.status === "rejected") {
        assert.ok(isStoreError(frozen.reason, "object_changed", "object_missing"), String(frozen.reason));
        continue;
      }
      assert.equal(await text(await store.open(frozen.value.reference, frozen.value)), `checked ${round}`);
      await store.remove(frozen.value.reference);
    }
  });
}
