import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { BlobClient, BlockBlobClient, RestError } from "@azure/storage-blob";
import { oddNames } from "../conformance/conformance.ts";
import { newKey } from "../conformance/test-objects.ts";
import { openTestGateway, type TestGateway } from "../conformance/test-gateway.ts";
import { send } from "../conformance/test-http.ts";

const MiB = 1024 * 1024;

describe("what Azure's own client does on a signed address", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await openTestGateway();
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    assert.deepEqual(gateway.errors, []);
  });

  const newClient = async (key: string, options: { maxBytes?: number } = {}) => {
    // Without its second attempts: a refusal is what the test looks at.
    const retryOptions = { maxTries: 1 };
    return new BlockBlobClient(await gateway.signPut(key, options), undefined, { retryOptions });
  };
  const sha256Of = async (key: string) => {
    const object = await gateway.store.head(key);
    const hash = createHash("sha256");
    if (object) for await (const chunk of await gateway.store.open(key, object)) hash.update(chunk as Buffer);
    return hash.digest("hex");
  };

  test("uploadData stores the bytes and gets etag, time and MD5", async () => {
    const key = newKey();
    const bytes = randomBytes(100_000);
    const client = await newClient(key);

    const response = await client.uploadData(bytes, { blobHTTPHeaders: { blobContentType: "video/mp4" } });

    assert.equal(response._response.status, 201);
    const object = await gateway.store.head(key);
    assert.equal(object?.etag, response.etag);
    assert.equal(object?.sha256, sha256(bytes));
    assert.deepEqual(Buffer.from(response.contentMD5 ?? []), createHash("md5").update(bytes).digest());
    assert.equal(client.name, key);
    for (const name of ["requestId", "version", "lastModified", "date", "clientRequestId"] as const)
      assert.ok(response[name], name);
  });

  test("uploadFile stores 300 MiB, block by block", async () => {
    const key = newKey();
    const path = join(gateway.root, "tmp", "source");
    await makeSparseFile(path, 300 * MiB);
    const client = await newClient(key);

    await client.uploadFile(path, { blockSize: 8 * MiB, concurrency: 4 });

    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path, { highWaterMark: MiB })) hash.update(chunk);
    assert.equal(await sha256Of(key), hash.digest("hex"));
    assert.equal((await client.getBlockList("committed")).committedBlocks?.length, 38);
    assert.deepEqual(await blockFiles(), []);
  });

  test("uploadStream stores a stream of unknown length", async () => {
    const key = newKey();
    const bytes = randomBytes(5 * MiB + 1);

    await (await newClient(key)).uploadStream(Readable.from(slices(bytes, 70_000)), MiB, 3);

    assert.equal(await sha256Of(key), sha256(bytes));
  });

  test("odd names arrive as they are", async () => {
    for (const name of oddNames) {
      const key = `${newKey()}/${name}`.slice(-600);
      const client = await newClient(key);

      await client.uploadData(Buffer.from(name));

      assert.equal(await sha256Of(key), sha256(Buffer.from(name)), name);
    }
  });

  test("an upload cut off at half is resumed by the block list", async () => {
    const key = newKey();
    const blocks = Array.from({ length: 6 }, (_, index) => ({
      id: blockId(index),
      bytes: randomBytes(100_000 + index),
    }));
    const first = await newClient(key);
    for (const { id, bytes } of blocks.slice(0, 3)) await first.stageBlock(id, bytes, bytes.length);

    const second = await newClient(key);
    const { uncommittedBlocks = [] } = await second.getBlockList("all");
    const there = new Set(uncommittedBlocks.map(({ name }) => name));
    for (const { id, bytes } of blocks.filter(({ id }) => !there.has(id)))
      await second.stageBlock(id, bytes, bytes.length);
    await second.commitBlockList(blocks.map(({ id }) => id));

    assert.deepEqual(
      uncommittedBlocks.map(({ size }) => size),
      [100_000, 100_001, 100_002],
    );
    assert.equal(await sha256Of(key), sha256(Buffer.concat(blocks.map(({ bytes }) => bytes))));
    const { committedBlocks, uncommittedBlocks: left } = await second.getBlockList("all");
    assert.deepEqual(
      committedBlocks?.map(({ name }) => name),
      blocks.map(({ id }) => id),
    );
    assert.deepEqual(left, []);
  });

  test("a block sent twice replaces the first, and what no list names is dropped", async () => {
    const key = newKey();
    const client = await newClient(key, { maxBytes: 10 });

    await client.stageBlock(blockId(1), "first!", 6);
    await client.stageBlock(blockId(1), "again!", 6);
    await client.stageBlock(blockId(2), "drop", 4);
    await client.commitBlockList([blockId(1)]);

    assert.equal(await sha256Of(key), sha256(Buffer.from("again!")));
    assert.deepEqual(await blockFiles(), []);
  });

  test("a block list sent again finds its blocks in the object", async () => {
    const key = newKey();
    const client = await newClient(key);
    await client.stageBlock(blockId(1), "one", 3);
    await client.stageBlock(blockId(2), "two", 3);

    const [first, again] = await Promise.all([0, 1].map(() => client.commitBlockList([blockId(1), blockId(2)])));
    await client.commitBlockList([blockId(2), blockId(2), blockId(1)]);

    assert.equal(first?.etag, again?.etag);
    assert.equal(await sha256Of(key), sha256(Buffer.from("twotwoone")));
  });

  test("a block list takes blocks from where it says, or 400", async () => {
    const key = newKey();
    const url = await gateway.signPut(key);
    const client = await newClient(key);
    await client.stageBlock(blockId(1), "old", 3);
    await client.commitBlockList([blockId(1)]);
    await client.stageBlock(blockId(1), "new", 3);
    const commit = (...entries: string[]) =>
      send(`${url}&comp=blocklist`, { body: `<?xml version="1.0"?><BlockList>${entries.join("")}</BlockList>` });
    const entry = (source: string) => `<${source}>${blockId(1)}</${source}>`;

    const mixed = await commit(entry("Committed"), entry("Uncommitted"), entry("Latest"));
    assert.equal(mixed.status, 201, mixed.text);
    assert.equal(await sha256Of(key), sha256(Buffer.from("oldnewnew")));

    const refused = await commit(entry("Uncommitted"));
    assert.deepEqual([refused.status, refused.code], [400, "InvalidBlockList"]);
    assert.equal(await sha256Of(key), sha256(Buffer.from("oldnewnew")));
  });

  test("a block list that is not one is 400, and never costs more than it is long", async () => {
    const url = `${await gateway.signPut(newKey())}&comp=blocklist`;
    const bodies = {
      "": "InvalidXmlDocument",
      "<BlockList>": "InvalidXmlDocument",
      "<Other/>": "InvalidXmlDocument",
      "<BlockList><Latest><Latest>AA==</Latest></Latest></BlockList>": "InvalidXmlDocument",
      "<BlockList><Latest>not base64</Latest></BlockList>": "InvalidQueryParameterValue",
      '<!DOCTYPE l [<!ENTITY a "aaaaaaaa">]><BlockList><Latest>&a;</Latest></BlockList>': "InvalidXmlDocument",
      "<BlockList><Latest>&unknown;</Latest></BlockList>": "InvalidXmlDocument",
      [`<BlockList>${"<Latest>AA==</Latest>".repeat(50_001)}</BlockList>`]: "BlockListTooLong",
      [`<BlockList>${" ".repeat(9 * MiB)}</BlockList>`]: "RequestBodyTooLarge",
    };
    for (const [body, code] of Object.entries(bodies)) {
      const reply = await send(url, { body });

      assert.equal(reply.code, code, body.slice(0, 100));
    }
  });

  test("a signed download reads whole and by ranges, and cannot write", async () => {
    const key = newKey();
    await (await newClient(key)).uploadData(Buffer.from("0123456789"));
    const url = await gateway.store.signGet(key, {
      expiresAt: new Date(Date.now() + 60_000),
      filename: "a b.mp4",
      contentType: "video/mp4",
    });
    const client = new BlobClient(url);

    assert.equal((await client.downloadToBuffer()).toString(), "0123456789");
    assert.equal((await client.downloadToBuffer(2, 3)).toString(), "234");
    assert.equal((await client.getProperties()).contentLength, 10);
    const reply = await send(url, { method: "GET", headers: { range: "bytes=-3" } });
    assert.deepEqual([reply.status, reply.text, reply.headers["content-range"]], [206, "789", "bytes 7-9/10"]);
    assert.equal(reply.headers["x-content-type-options"], "nosniff");
    assert.equal(reply.headers["content-security-policy"], "sandbox");
    assert.equal((await send(url, { method: "GET", headers: { range: "bytes=10-" } })).status, 416);
    assert.equal((await send(url, { method: "GET", headers: { "if-match": '"0x0"' } })).status, 412);
    assert.equal((await send(url, { body: "x" })).code, "AuthorizationPermissionMismatch");
    assert.equal((await send(`${url}&comp=blocklist`, { method: "GET" })).code, "AuthorizationPermissionMismatch");
  });

  test("what the client refuses to retry tells it why", async () => {
    const client = await newClient(newKey(), { maxBytes: 10 });

    await assert.rejects(client.uploadData(Buffer.alloc(11)), (error) => {
      assert.ok(error instanceof RestError);
      assert.deepEqual([error.statusCode, error.code], [413, "RequestBodyTooLarge"]);
      return true;
    });
  });

  test("a block that is one too many is told the cap, not what is left of it", async () => {
    const client = await newClient(newKey(), { maxBytes: 10 });
    await client.stageBlock(blockId(1), Buffer.alloc(10), 10);

    await assert.rejects(client.stageBlock(blockId(2), Buffer.alloc(1), 1), /larger than the 10 bytes allowed/);
  });

  async function blockFiles(): Promise<string[]> {
    return (await gateway.files()).filter((file) => file.startsWith("blocks"));
  }
});

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function blockId(index: number): string {
  return Buffer.from(`block-${String(index).padStart(6, "0")}`).toString("base64");
}

function* slices(bytes: Buffer, length: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** Mostly holes, so that it costs no disk, but with bytes around every place where two blocks could be swapped. */
async function makeSparseFile(path: string, sizeBytes: number): Promise<void> {
  await using file = await open(path, "w");
  await file.truncate(sizeBytes);
  for (let position = 0; position < sizeBytes; position += MiB) await file.write(`at ${position}`, position);
}
