import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Probe } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import { openEvents } from "../../testing/event-reader.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";
import { changeSubmission } from "./change-submission.ts";
import { countCrash } from "./count-crash.ts";
import { failAsset } from "./fail-asset.ts";
import { holdCreditsForAsset } from "./hold-credits.ts";
import { recordAnalysis } from "./record-analysis.ts";
import { recordProgress } from "./record-progress.ts";
import { type AssetRun, startAsset } from "./start-asset.ts";

/** Without workers: the test starts the assets itself. */
let service: TestService;
let own: TestWorkspace;
before(async () => {
  service = await startTestService({ role: "api" });
  own = await service.newWorkspace();
});
after(() => service[Symbol.asyncDispose]());

async function submit(count: number, workspace = own) {
  const blobPaths = await Promise.all(
    Array.from({ length: count }, (_, index) => workspace.upload({ filename: `note-${index}.txt` })),
  );
  const { submissionId, workflowId, assets } = await workspace.submit({
    assets: blobPaths.map((blobPath) => ({ blobPath })),
  });
  const { workspaceId } = workspace;
  return assets.map(({ assetId }) => ({ submissionId, assetId, workspaceId, workflowId }));
}

/** What the channel of a submission tells whoever comes late, after the status of now, up to the start that comes last. */
async function toldBy(submissionId: string) {
  const url = `${service.url}/api/integrations/realtime/private-submission-${submissionId}`;
  await using events = await openEvents(url, { "x-api-key": own.keys.live, "last-event-id": "0" });
  const [, ...told] = await events.readUntil(({ event }) => event === "asset.restarted");
  return told.map(({ event, message }) => [event, message.data["status"] ?? message.data["assetId"]]);
}

test("assets of one submission that start in the same moment run once each, and its status is told once", async () => {
  for (let round = 0; round < 5; round++) {
    const jobs = await submit(4);
    const [{ submissionId, assetId }] = jobs as [(typeof jobs)[0]];

    const runs = await Promise.all(jobs.map((job) => startAsset(service.app, job)));
    const again = await startAsset(service.app, jobs[0] as (typeof jobs)[0]);

    assert.deepEqual(
      runs.map((run) => run?.run),
      [1, 1, 1, 1],
    );
    assert.equal(again?.run, 2);
    assert.deepEqual(await toldBy(submissionId), [
      ["submission.status", "submitted"],
      ["submission.status", "processing"],
      ["asset.restarted", assetId],
    ]);
  }
});

test("the next change is decided on the state that a start gives, without reading it again", async () => {
  const [job] = (await submit(1)) as [Awaited<ReturnType<typeof submit>>[0]];

  const run = await startAsset(service.app, job);

  const { json } = await own.call("GET", `/submissions/${job.submissionId}`);
  assert.deepEqual([json["status"], (json["assets"] as { status: string }[])[0]?.status], ["processing", "processing"]);
  assert.equal(run?.asset.status, "processing");
  let decisions = 0;
  const after = await changeSubmission(service.app, {
    ...job,
    seen: run?.seen,
    decide: ({ submission, assets }) => {
      decisions += 1;
      assert.deepEqual([submission.status, assets[0]?.run], ["processing", 1]);
      return { messages: [{ event: "asset.restarted", data: { assetId: job.assetId } }] };
    },
  });
  assert.equal(decisions, 1);
  assert.equal(after?.submission.eventNumber, (run?.seen?.submission.eventNumber ?? 0) + 1);
});

test("a job of another attempt starts nothing", async () => {
  const [job] = (await submit(1)) as [Awaited<ReturnType<typeof submit>>[0]];

  assert.equal(await startAsset(service.app, { ...job, workflowId: "wf_of_another_attempt" }), undefined);

  const { json } = await own.call("GET", `/submissions/${job.submissionId}`);
  assert.equal(json["status"], "submitted");
});

test("a worker whose asset was taken over changes nothing: no progress, crash, credits, failure or result", async () => {
  const metered = await service.newWorkspace({ credits: 5 });
  const [job] = (await submit(1, metered)) as [Awaited<ReturnType<typeof submit>>[0]];
  const old = (await startAsset(service.app, job)) as AssetRun;
  const current = (await startAsset(service.app, job)) as AssetRun;
  const before = await rowsOf(job);
  assert.deepEqual([old.run, current.run], [1, 2]);

  await recordProgress(service.app, old, 50);
  assert.equal(await countCrash(service.app, old), Number.POSITIVE_INFINITY);
  const probe = { durationSeconds: null, pages: 1 } as Probe;
  await holdCreditsForAsset(service.app, { run: old, category: "document", probe });
  await failAsset(service.app, { ...job, run: old.run, errorType: "internal_error", errorMessage: "Late." });
  const result = { findings: [], measurements: {}, context: {} };
  assert.equal(await recordAnalysis(service.app, { ...job, run: old.run, result }), false);

  assert.deepEqual(await rowsOf(job), before);
  await recordProgress(service.app, current, 50);
  await holdCreditsForAsset(service.app, { run: current, category: "document", probe });
  assert.equal(await recordAnalysis(service.app, { ...job, run: current.run, result }), true);
  assert.notDeepEqual(await rowsOf(job), before);
});

async function rowsOf({
  submissionId,
  assetId,
  workspaceId,
}: {
  submissionId: string;
  assetId: string;
  workspaceId: string;
}) {
  const { db } = service.app;
  return [
    await db.selectFrom("submissions").selectAll().where("submissionId", "=", submissionId).execute(),
    await db.selectFrom("assets").selectAll().where("assetId", "=", assetId).execute(),
    await db.selectFrom("events").select("eventId").where("assetId", "=", assetId).execute(),
    await db.selectFrom("workspaces").select("creditBalance").where("workspaceId", "=", workspaceId).execute(),
  ];
}
