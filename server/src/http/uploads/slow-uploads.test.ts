import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { until } from "@greenlit/engine/testing/until.ts";
import { claimDataFolder } from "../../data-folder.ts";
import { openRaw } from "../../testing/raw-request.ts";
import { startTestService } from "../../testing/test-service.ts";

import { createServer } from "../server.ts";

const run = promisify(execFile);

const uploadHead = (key: string) =>
  `POST /api/integrations/uploads/direct HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 100000\r\n` +
  "Content-Type: multipart/form-data; boundary=x\r\n\r\n" +
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n';

test("408 that names the limit for an upload slower than the least rate, and the connection ends", async () => {
  await using service = await startTestService({ role: "api" });
  const { keys } = await service.newWorkspace();
  const uploadPace = { minBytesPerSecond: 10_000, windowSeconds: 0.3 };
  await using server = createServer({ ...service.app, uploadPace });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  await using upload = openRaw(`http://127.0.0.1:${port}`, uploadHead(keys.live));
  const dripping = setInterval(() => upload.socket.write("x"), 50);

  const answer = await upload.ended.finally(() => clearInterval(dripping));

  assert.match(answer, /^HTTP\/1\.1 408 .*connection: close.*"request_timeout".*GREENLIT_UPLOAD_MIN_RATE/is);
});

test("429 for more direct uploads of one key than may be open, and not for another key", async () => {
  await using service = await startTestService({ role: "api", env: { GREENLIT_UPLOADS_PER_KEY: "2" } });
  const [busy, other] = [await service.newWorkspace(), await service.newWorkspace()];
  await using first = openRaw(service.url, uploadHead(busy.keys.live));
  await using second = openRaw(service.url, uploadHead(busy.keys.live));
  await using third = openRaw(service.url, uploadHead(busy.keys.live));

  // Whichever of the three came last.
  const answer = await Promise.race([first.ended, second.ended, third.ended]);

  assert.match(
    answer,
    /^HTTP\/1\.1 429 .*retry-after: 5.*\{"error":"This key has 2 uploads open.*GREENLIT_UPLOADS_PER_KEY/is,
  );
  await other.upload();
  for (const { socket } of [first, second, third]) socket.destroy();
  await until(async () => (await busy.upload().catch(() => "")) !== "");
});

test("on a full disk both ways to upload answer 507, readiness reports it, and a start says so in one line", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-full-"));
  await chmod(folder, 0o755);
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=48m,mode=755", "tmpfs", folder]);
  } catch {
    await rm(folder, { recursive: true });
    context.skip("needs to be root and allowed to mount a small tmpfs");
    return;
  }
  try {
    {
      await using service = await startTestService({
        role: "api",
        env: { GREENLIT_DATA_DIR: folder, GREENLIT_LOG: "off" },
      });
      const workspace = await service.newWorkspace();
      const issued = await workspace.call("POST", "/uploads/url", {
        body: { filename: "a.txt", contentType: "text/plain" },
      });
      await fill(join(folder, "filler"));

      const form = new FormData();
      form.append("file", new Blob(["some text ".repeat(100_000)], { type: "text/plain" }), "b.txt");
      const direct = await service.fetch("/api/integrations/uploads/direct", {
        method: "POST",
        headers: { "x-api-key": workspace.keys.live },
        body: form,
      });
      const put = await fetch(String(issued.json["uploadUrl"]), {
        method: "PUT",
        headers: { "x-ms-blob-type": "BlockBlob" },
        body: "some text ".repeat(100_000),
      });
      const ready = await service.fetch("/readyz");

      assert.deepEqual([direct.status, direct.json["error_code"]], [507, "insufficient_storage"]);
      assert.equal(put.status, 507);
      assert.deepEqual([ready.status, (ready.json["checks"] as Record<string, string>)["store"]], [503, "disk full"]);
    }
    await assert.rejects(claimDataFolder({ dir: join(folder, "data"), command: "test" }), {
      name: "DataFolderUnusable",
      message:
        /^The disk of the data folder \S+ is full: 0 MB are free, and at least 32 MB are needed\..*GREENLIT_DATA_DIR\.$/,
    });
  } finally {
    await run("umount", ["-l", folder]);
    await rm(folder, { recursive: true });
  }
});

async function fill(path: string): Promise<void> {
  await writeFile(path, "");
  await using file = await open(path, "a");
  for (const size of [1024 * 1024, 64 * 1024, 4096])
    while (
      await file.appendFile(Buffer.alloc(size)).then(
        () => true,
        () => false,
      )
    );
}
