import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BlockBlobClient } from "@azure/storage-blob";
import { removeUnclaimed } from "../../uploads/remove-unclaimed.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let time = Date.parse("2026-11-15T12:00:00.000Z");
const minute = 60_000;
let service: TestService;
before(async () => {
  service = await startTestService({ role: "api", now: () => new Date(time) });
});
after(() => service[Symbol.asyncDispose]());

type Issued = { uploadUrl: string; blobPath: string; expiresAt: string };

async function issue(workspace: TestWorkspace, filename = "long.txt"): Promise<Issued> {
  const answer = await workspace.call("POST", "/uploads/url", { body: { filename, contentType: "text/plain" } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Issued;
}

function renew(workspace: TestWorkspace, { blobPath, uploadUrl }: Pick<Issued, "blobPath" | "uploadUrl">) {
  return workspace.call("POST", "/uploads/url/renew", { body: { blobPath, uploadUrl } });
}

const blockId = (number: number) => Buffer.from(String(number).padStart(6, "0")).toString("base64");

test("an upload of 70 minutes succeeds in blocks when its URL is renewed, and is what was sent", async () => {
  const workspace = await service.newWorkspace();
  let url = await issue(workspace);
  const stage = (number: number) =>
    new BlockBlobClient(url.uploadUrl).stageBlock(blockId(number), `Block ${number}.\n`, 9);
  await stage(0);
  for (let number = 1; number <= 7; number++) {
    time += 10 * minute;
    await removeUnclaimed(service.app);
    if (number === 6) {
      time += 5 * minute;
      await assert.rejects(stage(number), { statusCode: 403 });
      const renewed = await renew(workspace, url);
      assert.equal(renewed.status, 200, renewed.text);
      url = renewed.json as Issued;
    }
    await stage(number);
  }
  const ids = Array.from({ length: 8 }, (_, number) => blockId(number));
  await new BlockBlobClient(url.uploadUrl).commitBlockList(ids);

  const { submissionId } = await workspace.submit({ assets: [{ blobPath: url.blobPath }] });

  const { json } = await workspace.call("GET", `/submissions/${submissionId}`);
  assert.equal((json["assets"] as { sizeBytes: number }[])[0]?.sizeBytes, 8 * 9);
});

test("the renewed URL is for the same object, and lives for another hour", async () => {
  const workspace = await service.newWorkspace();
  const first = await issue(workspace);
  time += 50 * minute;

  const { json } = await renew(workspace, first);

  assert.equal(new URL(String(json["uploadUrl"])).pathname, new URL(first.uploadUrl).pathname);
  assert.equal(json["expiresAt"], new Date(time + 60 * minute).toISOString());
  assert.equal(json["blobPath"], first.blobPath);
});

test("403 for a URL of another workspace, of another path, of an upload that was submitted, and for nonsense", async () => {
  const [workspace, stranger] = [await service.newWorkspace(), await service.newWorkspace()];
  const theirs = await issue(stranger);
  const [mine, other] = [await issue(workspace), await issue(workspace, "other.txt")];
  const taken = await issue(workspace, "taken.txt");
  await new BlockBlobClient(taken.uploadUrl).upload("A note.\n", 8);
  await workspace.submit({ assets: [{ blobPath: taken.blobPath }] });

  const answers = [
    await renew(workspace, theirs),
    await renew(workspace, { blobPath: mine.blobPath, uploadUrl: theirs.uploadUrl }),
    await renew(workspace, { blobPath: `${mine.blobPath}\0`, uploadUrl: mine.uploadUrl }),
    await renew(workspace, { blobPath: mine.blobPath, uploadUrl: other.uploadUrl }),
    await renew(workspace, taken),
    await renew(workspace, { blobPath: mine.blobPath, uploadUrl: "not a url" }),
  ];

  for (const { status, json } of answers) assert.deepEqual([status, json["error_code"]], [403, "invalid_blob_path"]);
});
