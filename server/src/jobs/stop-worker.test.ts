import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startTestService } from "../testing/test-service.ts";
import { runJobs } from "./run-jobs.ts";

test("a worker that stops waits for the analysis in flight, and leaves no file behind", async () => {
  await using service = await startTestService({ role: "api" });
  const workspace = await service.newWorkspace();
  const started = Promise.withResolvers<void>();
  const jobs = await runJobs(service.app, {
    async runAnalysis({ file }, { signal }) {
      started.resolve();
      if (signal) await once(signal, "abort");
      for (let index = 0; index < 200; index++) await writeFile(join(dirname(file), `late-${index}`), "");
      throw new Error("stopped");
    },
  });
  await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await started.promise;
  await jobs[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(service.app.scratchFolder), []);
});
