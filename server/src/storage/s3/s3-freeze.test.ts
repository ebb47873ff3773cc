import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { newKey, rejectsWith } from "../conformance/test-objects.ts";
import { openS3Store } from "./s3-store.ts";

test("a copy that is not of the etag is dropped, on a server that ignores the condition", async () => {
  const cases = [
    { copy: { etag: '"aaaa"', "content-length": "3" }, isTaken: true },
    { copy: { etag: '"bbbb"', "content-length": "3" }, isTaken: false },
    { copy: { etag: '"aaaa"', "content-length": "4" }, isTaken: false },
    // Etags of such objects are no digests, so the source decides: it was not replaced.
    {
      copy: { etag: '"bbbb"', "content-length": "3" },
      source: { "x-amz-server-side-encryption": "aws:kms" },
      isTaken: true,
    },
  ];
  for (const { copy, source = {}, isTaken } of cases) {
    await using server = await startCarelessServer({
      copy,
      source: { etag: '"aaaa"', "content-length": "3", ...source },
    });
    const credentials = { accessKeyId: "a", secretAccessKey: "b" };
    await using store = await openS3Store({
      bucket: "media",
      region: "us-east-1",
      endpoint: server.url,
      forcePathStyle: true,
      credentials,
    });

    const frozen = store.freeze(newKey(), '"aaaa"');

    if (isTaken) assert.equal((await frozen).etag, copy.etag);
    else await rejectsWith("object_changed", frozen);
    assert.equal(server.removed.length, isTaken ? 0 : 1);
    assert.ok(server.removed.every((path) => path.startsWith("/media/frozen/")));
  }
});

/** Copies whatever there is, as Ceph's does, and answers for the object and its copy with these headers. */
async function startCarelessServer(answers: { source: Record<string, string>; copy: Record<string, string> }) {
  const removed: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = "" } = request;
    if (method === "HEAD")
      response.writeHead(200, url.startsWith("/media/frozen/") ? answers.copy : answers.source).end();
    else if (method === "PUT")
      response.end('<?xml version="1.0"?><CopyObjectResult><ETag>"aaaa"</ETag></CopyObjectResult>');
    else response.writeHead(204).end();
    if (method === "DELETE") removed.push(url);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    removed,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
