import assert from "node:assert/strict";
import { test } from "node:test";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { BlockBlobClient } from "@azure/storage-blob";
import { azuriteAccount, startAzurite } from "../../storage/conformance/test-azurite.ts";
import { startSwift } from "../../storage/conformance/test-swift.ts";
import { startTestService, type TestWorkspace } from "../../testing/test-service.ts";

/**
 * These stores go by their own clock. So the service's goes back by 70 minutes to sign an address that has expired, and
 * forth again to renew it.
 */
const hourAgo = -70 * 60_000;
const { env } = process;
const isAzure = env["GREENLIT_TEST_AZURE"] === "true";
const isS3 = env["GREENLIT_TEST_S3"] === "true" && process.getuid?.() === 0;

type Issued = { uploadUrl: string; blobPath: string };

test(
  "an expired address of Azure is renewed, and the blocks sent before are kept",
  { skip: !isAzure && "set GREENLIT_TEST_AZURE=true to test it against Azurite" },
  async () => {
    await using azurite = await startAzurite();
    let offset = 0;
    await using service = await startTestService({
      role: "api",
      now: () => new Date(Date.now() + offset),
      env: {
        GREENLIT_STORE: "azure",
        GREENLIT_AZURE_ACCOUNT: azuriteAccount.name,
        GREENLIT_AZURE_KEY: azuriteAccount.key,
        GREENLIT_AZURE_ENDPOINT: azurite.endpoint,
        GREENLIT_AZURE_CONTAINER: "media",
      },
    });
    const workspace = await service.newWorkspace();
    const id = (number: number) => Buffer.from(String(number).padStart(6, "0")).toString("base64");
    const stage = ({ uploadUrl }: Issued, number: number) =>
      new BlockBlobClient(uploadUrl).stageBlock(id(number), `Block ${number}.\n`, 9);

    const first = await issue(workspace);
    await stage(first, 0);
    offset = hourAgo;
    const expired = await renew(workspace, first);
    await assert.rejects(stage(expired, 1), { statusCode: 403 });
    offset = 0;
    const renewed = await renew(workspace, expired);
    await stage(renewed, 1);
    await new BlockBlobClient(renewed.uploadUrl).commitBlockList([id(0), id(1)]);

    assert.equal(await submittedBytes(workspace, renewed), 18);
  },
);

test(
  "an expired address of S3 is renewed for the same object",
  { skip: !isS3 && "set GREENLIT_TEST_S3=true to test it against OpenStack Swift (as root on Debian)" },
  async () => {
    await using swift = await startSwift();
    const { endpoint = "", region, credentials = { accessKeyId: "", secretAccessKey: "" } } = swift.account;
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: "media" }));
    let offset = hourAgo;
    await using service = await startTestService({
      role: "api",
      now: () => new Date(Date.now() + offset),
      env: {
        GREENLIT_STORE: "s3",
        GREENLIT_S3_BUCKET: "media",
        GREENLIT_S3_ENDPOINT: endpoint,
        GREENLIT_S3_REGION: region,
        GREENLIT_S3_PATH_STYLE: "true",
        GREENLIT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
        GREENLIT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    });
    const workspace = await service.newWorkspace();
    const put = ({ uploadUrl }: Issued) =>
      fetch(uploadUrl, { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body: "A long note.\n" });

    const expired = await issue(workspace);
    const refused = await put(expired);
    offset = 0;
    const renewed = await renew(workspace, expired);
    const stored = await put(renewed);

    assert.deepEqual([refused.status, stored.status], [403, 200]);
    assert.equal(new URL(renewed.uploadUrl).pathname, new URL(expired.uploadUrl).pathname);
    assert.equal(await submittedBytes(workspace, renewed), 13);
  },
);

async function issue(workspace: TestWorkspace): Promise<Issued> {
  const body = { filename: "long.txt", contentType: "text/plain" };
  return (await workspace.call("POST", "/uploads/url", { body })).json as Issued;
}

async function renew(workspace: TestWorkspace, { blobPath, uploadUrl }: Issued): Promise<Issued> {
  const answer = await workspace.call("POST", "/uploads/url/renew", { body: { blobPath, uploadUrl } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Issued;
}

async function submittedBytes(workspace: TestWorkspace, { blobPath }: Issued): Promise<unknown> {
  const { submissionId } = await workspace.submit({ assets: [{ blobPath }] });
  const { json } = await workspace.call("GET", `/submissions/${submissionId}`);
  return (json["assets"] as { sizeBytes: number }[])[0]?.sizeBytes;
}
