import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { until } from "@greenlit/engine/testing/until.ts";
import { folderLayout, makeFolder } from "../../storage/folder/folder-layout.ts";
import { startTestService, type Answer, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

function upload(service: TestService, workspace: TestWorkspace, sizeBytes: number): Promise<Answer> {
  const form = new FormData();
  form.set("file", new File(["x".repeat(sizeBytes)], "note.txt", { type: "text/plain" }));
  const headers = { "x-api-key": workspace.keys.live };
  return service.fetch("/api/integrations/uploads/direct", { method: "POST", headers, body: form });
}

test("507 for a direct upload beyond the quota of unclaimed bytes, as at the store; message and log name the setting", async () => {
  await using service = await startTestService({ role: "api", env: { GREENLIT_UNCLAIMED_QUOTA_GB: "1" } });
  const [full, other] = [await service.newWorkspace(), await service.newWorkspace()];
  const { objects } = folderLayout(join(service.app.config.dataDir, "store")).workspaceFolders(full.workspaceId);
  await makeFolder(objects);
  // A hole: it counts as a whole GB and takes no room.
  await writeFile(join(objects, "unclaimed"), "");
  await truncate(join(objects, "unclaimed"), 1024 * mebibyte);

  const refused = await upload(service, full, 100);
  const { json } = await full.call("POST", "/uploads/url", { body: { filename: "a.txt", contentType: "text/plain" } });
  const atStore = await fetch(String(json["uploadUrl"]), {
    method: "PUT",
    headers: { "x-ms-blob-type": "BlockBlob" },
    body: "x".repeat(100),
  });

  assert.deepEqual([refused.status, refused.json["error_code"]], [507, "insufficient_storage"], refused.text);
  assert.match(String(refused.json["message"]), /GREENLIT_UNCLAIMED_QUOTA_GB/);
  assert.equal(atStore.status, 507);
  assert.equal((await upload(service, other, 100)).status, 201);
  const requestId = refused.headers.get("x-request-id") ?? "-";
  await until(async () => {
    const lines = (await readFile(service.logTarget, "utf8")).split("\n").filter((line) => line.includes(requestId));
    return lines.some((line) => line.includes("insufficient_storage") && line.includes("GREENLIT_UNCLAIMED_QUOTA_GB"));
  });
});

test("507 for a direct upload to a full disk, 503 to one that turned read-only, and nothing of it stays", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-full-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]);
  } catch {
    await rm(folder, { recursive: true });
    context.skip("needs to be root and allowed to mount a small tmpfs");
    return;
  }
  try {
    await using service = await startTestService({ role: "api", env: { GREENLIT_DATA_DIR: folder } });
    const workspace = await service.newWorkspace();

    const refused = await upload(service, workspace, 9 * mebibyte);

    assert.deepEqual([refused.status, refused.json["error_code"]], [507, "insufficient_storage"], refused.text);
    assert.deepEqual(await Array.fromAsync(service.app.store.list(`${workspace.workspaceId}/`)), []);
    assert.equal((await upload(service, workspace, mebibyte)).status, 201);
    await run("mount", ["-o", "remount,ro", folder]);
    const later = await upload(service, workspace, 100);
    assert.deepEqual([later.status, later.json["error_code"]], [503, "unavailable"], later.text);
    await run("mount", ["-o", "remount,rw", folder]);
    assert.equal((await upload(service, workspace, 100)).status, 201);
  } finally {
    await run("umount", [folder]);
    await rm(folder, { recursive: true });
  }
});
