import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { golden } from "@greenlit/engine/testing/golden.ts";
import { until } from "@greenlit/engine/testing/until.ts";
import { sql } from "kysely";
import { sweepFilmParts } from "../films/film-parts.ts";
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

const partLength = { GREENLIT_FILM_PART_LENGTH: "45s" };

async function startWorker(): Promise<{ worker: ChildProcess; exit: Promise<number | null> }> {
  const worker = spawnWorker(service.app.config, { GREENLIT_WORKER_SLOTS: "1", ...partLength });
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

type PartRow = { partIndex: number; state: string; run: number; worker: string; objectKey: string | null };

async function partsOf(assetId: string): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select part_index, state, run, worker, object_key from film_parts where asset_id = ${assetId} order by part_index`.execute(
    service.app.db,
  );
  return rows;
}

test(
  "the parts of a long film are shared by two workers, and those that are kept outlive a worker that is killed",
  { timeout: 900_000 },
  async () => {
    const bytes = await readFile(golden("long.mp4"));
    const blobPath = await workspace.upload({ filename: "long.mp4", contentType: "video/mp4", bytes });
    const pair = [await startWorker(), await startWorker()];
    const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
    const assetId = assets[0]?.assetId ?? "";
    let parts: PartRow[] = [];
    const look = async () => (parts = await partsOf(assetId));
    await until(async () => new Set((await look()).map(({ worker }) => worker).filter(Boolean)).size === 2);
    await until(async () => (await look()).some(({ state }) => state === "done"));
    const kept = parts.filter(({ state }) => state === "done");
    const victim = pair.find(({ worker }) => kept[0]?.worker.endsWith(`:${worker.pid}`));
    victim?.worker.kill("SIGKILL");
    await victim?.exit;

    const seen = new Map<number, PartRow>();
    const percents: number[] = [];
    const hasEnded = async () => {
      for (const row of await partsOf(assetId)) seen.set(row.partIndex, row);
      const { json } = await workspace.call("GET", `/submissions/${submissionId}`);
      percents.push((json["assets"] as { progressPercent: number }[])[0]?.progressPercent ?? 0);
      return json["status"] === "complete" || json["status"] === "failed";
    };
    const doneCount = () => [...seen.values()].filter(({ state }) => state === "done").length;
    // Part by part: all of them take longer than one wait on a busy machine.
    for (let count = kept.length; count <= parts.length; count += 1)
      await until(async () => (await hasEnded()) || doneCount() >= count);
    await until(hasEnded);

    assert.ok(victim);
    assert.equal(await statusOf(submissionId), "complete");
    assert.equal(await eventsOf(submissionId), 1);
    assert.equal(seen.size, 4);
    // Gathered once: what a worker has kept is not gathered again when the film's job is.
    for (const { partIndex, objectKey } of kept) assert.equal(seen.get(partIndex)?.objectKey, objectKey);
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    );
    assert.ok(
      percents.some((percent) => percent > 5 && percent < 100),
      percents.join(),
    );
    await sweepFilmParts(service.app);
    assert.deepEqual(await partsOf(assetId), []);
    for (const { objectKey } of kept) assert.equal(await service.app.store.head(objectKey ?? ""), null);
    for (const { worker, exit } of pair) {
      worker.kill("SIGTERM");
      await exit;
    }
  },
);
