import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { unpackEvidence } from "@greenlit/engine/kept/kept-evidence.ts";
import { unpackPrint } from "@greenlit/engine/print/pack-print.ts";
import { fileIntegrityId, startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

const healthClaimsId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b11";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

async function givenAsset(workspace: TestWorkspace, sidekickIds: string[]) {
  const blobPath = await workspace.upload({ bytes: "Our tea cures arthritis in a week.\n" });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }], sidekickIds });
  await workspace.finish(submissionId);
  return { submissionId, path: `/submissions/${submissionId}/assets/${assets[0]?.assetId ?? ""}` };
}

test("what was gathered is kept with the asset, with its size and hash, and goes with it", async () => {
  const workspace = await service.newWorkspace();
  const { submissionId, path } = await givenAsset(workspace, [fileIntegrityId, healthClaimsId]);

  const { status, json } = await workspace.call("GET", `${path}/evidence`);
  const response = await fetch(`${service.url}/api/integrations${path}/evidence/content`, {
    headers: { "x-api-key": workspace.keys.live },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const printed = await fetch(`${service.url}/api/integrations${path}/print/content`, {
    headers: { "x-api-key": workspace.keys.live },
  });
  const print = unpackPrint(Buffer.from(await printed.arrayBuffer()));

  assert.equal(status, 200);
  assert.deepEqual([json["sizeBytes"], json["formatVersion"]], [bytes.length, 1]);
  assert.equal(json["sha256"], createHash("sha256").update(bytes).digest("hex"));
  const { evidence, gathered } = unpackEvidence(bytes);
  assert.match(evidence.document?.pages[0]?.text ?? "", /cures arthritis/);
  assert.ok(gathered.includes("document"));
  assert.deepEqual([print.kind, print.findings.length > 0], ["document", true]);
  assert.match(print.pages?.[0]?.text ?? "", /cures arthritis/);

  assert.equal((await workspace.call("DELETE", `/submissions/${submissionId}`)).status, 204);
  for (const kind of ["evidence", "prints"])
    assert.deepEqual(await Array.fromAsync(service.app.store.list(`${kind}/${workspace.workspaceId}/`)), []);
  const left = await service.app.db.selectFrom("removals").selectAll().execute();
  assert.deepEqual(
    left.filter(({ objectKey }) => objectKey.includes(workspace.workspaceId)),
    [],
  );
});

test("404 for an asset of the sandbox, of which nothing was analysed", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload({ mode: "sandbox" });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] }, { mode: "sandbox" });
  await workspace.finish(submissionId);

  const { status, json } = await workspace.call(
    "GET",
    `/submissions/${submissionId}/assets/${assets[0]?.assetId ?? ""}/evidence`,
  );

  assert.deepEqual([status, json["error_code"]], [404, "evidence_not_kept"]);
});
