import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { CreateMultipartUploadCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import { testConformance } from "../conformance/conformance.ts";
import { clientOf, newBucket } from "../conformance/test-bucket.ts";
import { newKey, rejectsWith } from "../conformance/test-objects.ts";
import { openS3Store, type S3StoreOptions } from "./s3-store.ts";
import { startSwift } from "../conformance/test-swift.ts";

type Server = AsyncDisposable & { account: Omit<S3StoreOptions, "bucket"> };

const { env } = process;
const endpoint = env["GREENLIT_TEST_S3_ENDPOINT"];

if (endpoint || (env["GREENLIT_TEST_S3"] === "true" && process.getuid?.() === 0)) {
  for (const isVersioned of [false, true])
    testConformance(`the S3 store (${isVersioned ? "with" : "without"} versions)`, {
      // Freezing a version makes nothing that could be listed.
      listsReferences: !isVersioned,
      async open() {
        const server = await startServer();
        const store = await openS3Store({
          ...server.account,
          bucket: await newBucket(server.account, { isVersioned }),
        });
        return {
          ...store,
          async [Symbol.asyncDispose]() {
            await store[Symbol.asyncDispose]();
            await server[Symbol.asyncDispose]();
          },
        };
      },
    });

  test("a sweep ends uploads in parts that nobody completed", async () => {
    await using server = await startServer();
    const bucket = await newBucket(server.account, { isVersioned: false });
    await using store = await openS3Store({ ...server.account, bucket });
    const client = clientOf(server.account);
    const target = { Bucket: bucket, Key: newKey() };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: "part" }));

    assert.deepEqual(await store.sweep({ olderThan: new Date(Date.now() - 60_000) }), { removedFiles: 0 });
    assert.deepEqual(await store.sweep({ olderThan: new Date(Date.now() + 60_000) }), { removedFiles: 1 });
    assert.deepEqual(await store.sweep({ olderThan: new Date(Date.now() + 60_000) }), { removedFiles: 0 });
  });

  test("an S3 store out of reach or without its bucket says so", async () => {
    await using server = await startServer();
    await using missing = await openS3Store({ ...server.account, bucket: "no-such-bucket" });
    await using unreachable = await openS3Store({ ...server.account, endpoint: "http://127.0.0.1:9", bucket: "media" });
    const body = Readable.from([Buffer.from("x")], { objectMode: false });

    await rejectsWith("unavailable", missing.check());
    await rejectsWith("unavailable", unreachable.check());
    await rejectsWith("unavailable", unreachable.put(newKey(), body, { maxBytes: 1, contentType: "video/mp4" }));
  });
} else {
  const how =
    "set GREENLIT_TEST_S3=true (as root on Debian: installs OpenStack Swift), or GREENLIT_TEST_S3_ENDPOINT, _REGION, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY";
  test("the S3 store", { skip: `${how} to test it` });
}

/** The user's own server, or Swift. */
async function startServer(): Promise<Server> {
  if (!endpoint) return await startSwift();
  const credentials = {
    accessKeyId: env["GREENLIT_TEST_S3_ACCESS_KEY_ID"] ?? "",
    secretAccessKey: env["GREENLIT_TEST_S3_SECRET_ACCESS_KEY"] ?? "",
  };
  const account = {
    endpoint,
    region: env["GREENLIT_TEST_S3_REGION"] ?? "us-east-1",
    forcePathStyle: true,
    credentials,
  };
  return { account, async [Symbol.asyncDispose]() {} };
}
