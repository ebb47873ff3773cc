import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "../testing/test-service.ts";

test("a worker that stops in the middle of analyses ends without an error and leaves no file behind", async () => {
  for (let round = 0; round < 4; round++) {
    const service = await startTestService();
    const workspace = await service.newWorkspace();
    const blobPaths = [];
    for (let index = 0; index < 6; index++)
      blobPaths.push(
        await workspace.upload({ filename: `${round}-${index}.txt`, bytes: "Terms apply. ".repeat(50_000) }),
      );
    const folder = service.app.scratchFolder;
    await workspace.submit({ assets: blobPaths.map((blobPath) => ({ blobPath })) });
    await service[Symbol.asyncDispose]();
    assert.ok(!existsSync(folder));
  }
});
