import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a live submission goes from submitted to complete, with every field of the contract", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload({ filename: "hé 1.txt" });

  const created = await workspace.submit({ assets: [{ blobPath }], metadata: { campaign: "spring" } });
  const done = await workspace.finish(created.submissionId);

  assert.match(created.submissionId, uuid);
  assert.equal(created.status, "submitted");
  assert.equal(created.realtimeChannel, `private-submission-${created.submissionId}`);
  assert.equal(created.assets[0]?.versionNumber, 1);
  assert.equal(blobPath, `${workspace.workspaceId}/hé 1.txt`);
  const { createdAt, completedAt, sidekickIds, assets, ...rest } = done;
  assert.deepEqual(rest, {
    submissionId: created.submissionId,
    workflowId: created.workflowId,
    workspaceId: workspace.workspaceId,
    status: "complete",
    progressPercent: 100,
    errorMessage: null,
    isRetryable: false,
    mode: "live",
    metadata: { campaign: "spring" },
  });
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(String(completedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Array.isArray(sidekickIds) && sidekickIds.length > 0);
  assert.deepEqual(assets, [
    {
      assetId: created.assets[0]?.assetId,
      versionGroupId: created.assets[0]?.versionGroupId,
      versionNumber: 1,
      issueCount: 0,
      errorMessage: null,
      errorType: null,
      isRetryable: false,
      retryCount: 0,
      filename: "hé 1.txt",
      mimeType: "text/plain",
      sizeBytes: 14,
      sha256: "e66169d65d4387d96ba75379fcc3fd8bad03fb0b53fc328bf7e9f0a2ecf20d0d",
      status: "complete",
      progressPercent: 100,
    },
  ]);
});

test("the SHA-256 of a large upload is null until its bytes were read for the analysis", async () => {
  const workspace = await service.newWorkspace();
  const bytes = Buffer.alloc(1024 * 1024 + 1, "A plain note.\n");
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: "large.txt", contentType: "text/plain" },
  });
  await fetch(String(json["uploadUrl"]), { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body: bytes });
  const assets = [{ blobPath: String(json["blobPath"]) }];

  const simulated = await workspace.submit({ assets }, { mode: "sandbox" });
  const { submissionId } = await workspace.submit({ assets });

  const [unread] = (await workspace.finish(simulated.submissionId)).assets;
  const [asset] = (await workspace.finish(submissionId)).assets;
  assert.equal(unread?.["sha256"], null);
  assert.equal(asset?.["sha256"], createHash("sha256").update(bytes).digest("hex"));
});
