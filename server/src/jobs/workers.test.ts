import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { spawnWorker } from "../testing/worker-process.ts";

/** The API runs here, the workers are processes of their own that can be killed. */
let service: TestService;
let workspace: TestWorkspace;
const workers = new Set<ChildProcess>();
before(async () => {
  service = await startTestService({ role: "api" });
  workspace = await service.newWorkspace();
});
after(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await service[Symbol.asyncDispose]();
});

async function startWorker(): Promise<{ worker: ChildProcess; exit: Promise<number | null> }> {
  const worker = spawnWorker(service.app.config, { GREENLIT_WORKER_SLOTS: "1" });
  workers.add(worker);
  const exit = new Promise<number | null>((resolve) => worker.on("exit", (code) => resolve(code)));
  await new Promise((resolve) => worker.stdout?.once("data", resolve));
  return { worker, exit };
}

async function statusOf(submissionId: string): Promise<unknown> {
  return (await workspace.call("GET", `/submissions/${submissionId}`)).json["status"];
}

async function untilProcessing(submissionId: string): Promise<void> {
  await until(async () => (await statusOf(submissionId)) !== "submitted");
}

async function eventsOf(submissionId: string): Promise<number> {
  const rows = await service.app.db
    .selectFrom("events")
    .select("eventId")
    .where("submissionId", "=", submissionId)
    .execute();
  return rows.length;
}

test(
  "an asset whose worker is killed is finished by another, with one result and one event",
  { timeout: 900_000 },
  async () => {
    const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
    const first = await startWorker();
    await untilProcessing(submissionId);
    first.worker.kill("SIGKILL");
    await first.exit;
    const second = await startWorker();

    const done = await workspace.finish(submissionId);

    assert.equal(done["status"], "complete", JSON.stringify(done));
    assert.equal(await eventsOf(submissionId), 1);
    second.worker.kill("SIGTERM");
    assert.equal(await second.exit, 0);
  },
);

test("a worker that is told to stop hands its asset back at once, and exits 0", { timeout: 900_000 }, async () => {
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const [first, second] = [await startWorker(), await startWorker()];
  await untilProcessing(submissionId);
  for (const { worker } of [first]) worker.kill("SIGTERM");

  const done = await workspace.finish(submissionId);

  assert.equal(await first.exit, 0);
  assert.equal(done["status"], "complete", JSON.stringify(done));
  assert.equal(await eventsOf(submissionId), 1);
  second.worker.kill("SIGTERM");
  await second.exit;
});

test(
  "a workspace with many waiting delays another's single asset by a few places only",
  { timeout: 900_000 },
  async () => {
    const blobPath = await workspace.upload();
    const many = [];
    for (let i = 0; i < 4; i++) many.push(await workspace.submit({ assets: [{ blobPath }] }));
    const other = await service.newWorkspace();
    const single = await other.submit({ assets: [{ blobPath: await other.upload() }] });
    const { worker, exit } = await startWorker();

    const endOf = async (owner: TestWorkspace, { submissionId }: { submissionId: string }) =>
      String((await owner.finish(submissionId))["completedAt"]);
    const end = await endOf(other, single);
    const ends = await Promise.all(many.map((each) => endOf(workspace, each)));

    assert.ok(ends.filter((each) => each > end).length >= 2, `${end} among ${ends.join()}`);
    worker.kill("SIGTERM");
    await exit;
  },
);
