import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { errorTypes, type ErrorType, type Status } from "../db/tables.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { failAsset } from "./running/fail-asset.ts";
import { recordAnalysis } from "./running/record-analysis.ts";
import { startAsset } from "./running/start-asset.ts";
import { simulate } from "./running/simulate.ts";

/**
 * Random sequences of everything that can happen to submissions, legal or not, against the real service and a small
 * model of it. The service runs without workers: the test is the workers, the dead and the slow ones too.
 */
let service: TestService;
before(async () => {
  service = await startTestService({ role: "api" });
});
after(() => service[Symbol.asyncDispose]());

type ModelAsset = {
  assetId: string;
  workflowId: string;
  status: Status;
  errorType: ErrorType | null;
  retryCount: number;
  countedRetries: number;
  run: number;
  group: number;
  versionNumber: number;
};
type ModelSubmission = {
  submissionId: string;
  workflowId: string;
  mode: "live" | "sandbox";
  assets: ModelAsset[];
  isDeleted: boolean;
};
type Token = { submission: ModelSubmission; asset: ModelAsset; run: number };
type World = {
  workspace: TestWorkspace;
  blobPaths: string[];
  submissions: ModelSubmission[];
  tokens: Token[];
  lastVersion: number[];
};

type Step =
  | { kind: "create"; assets: number; mode: "live" | "sandbox" }
  | { kind: "start" | "retry" | "delete" | "simulate" | "newVersion"; pick: number }
  | { kind: "complete"; pick: number }
  | { kind: "fail"; pick: number; errorType: ErrorType };

const pick = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("create" as const),
      assets: fc.integer({ min: 1, max: 3 }),
      mode: fc.constantFrom("live" as const, "live" as const, "sandbox" as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("start" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("complete" as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("fail" as const),
      pick,
      errorType: fc.constantFrom(...(Object.keys(errorTypes) as ErrorType[])),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("retry" as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("delete" as const, "simulate" as const, "newVersion" as const),
      pick,
    }),
  },
);

test("whatever happens in whatever order, the service and the model agree", { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: "max" }), async (steps) => {
      const workspace = await service.newWorkspace();
      const blobPaths = await Promise.all(
        ["a.txt", "b.txt", "c.txt"].map((filename) => workspace.upload({ filename })),
      );
      const world: World = { workspace, blobPaths, submissions: [], tokens: [], lastVersion: [] };
      for (const next of steps) {
        await take(world, next);
        await compare(world);
      }
    }),
    { numRuns: Number(process.env["GREENLIT_TEST_MODEL_RUNS"] ?? 12), seed: 20_261_115 },
  );
});

async function take(world: World, next: Step): Promise<void> {
  switch (next.kind) {
    case "create":
      return create(world, next);
    case "start":
      return start(world, next.pick);
    case "complete":
      return complete(world, next.pick);
    case "fail":
      return fail(world, next.pick, next.errorType);
    case "retry":
      return retry(world, next.pick);
    case "delete":
      return remove(world, next.pick);
    case "simulate":
      return end(world, next.pick);
    case "newVersion":
      return newVersion(world, next.pick);
  }
}

async function create(world: World, { assets, mode }: { assets: number; mode: "live" | "sandbox" }): Promise<void> {
  const created = await world.workspace.submit(
    { assets: world.blobPaths.slice(0, assets).map((blobPath) => ({ blobPath })) },
    { mode },
  );
  addSubmission(world, { created, mode, groups: created.assets.map(() => world.lastVersion.push(0) - 1) });
}

function addSubmission(
  world: World,
  options: { created: Awaited<ReturnType<TestWorkspace["submit"]>>; mode: "live" | "sandbox"; groups: number[] },
): void {
  const { created, mode, groups } = options;
  const { submissionId, workflowId } = created;
  const assets = created.assets.map(({ assetId }, index): ModelAsset => {
    const group = groups[index] ?? 0;
    const versionNumber = (world.lastVersion[group] ?? 0) + 1;
    world.lastVersion[group] = versionNumber;
    return {
      assetId,
      workflowId,
      status: "submitted",
      errorType: null,
      retryCount: 0,
      countedRetries: 0,
      run: 0,
      group,
      versionNumber,
    };
  });
  world.submissions.push({ submissionId, workflowId, mode, assets, isDeleted: false });
}

function pickAsset(world: World, number: number): { submission: ModelSubmission; asset: ModelAsset } | undefined {
  const all = world.submissions.flatMap((submission) => submission.assets.map((asset) => ({ submission, asset })));
  return all[number % Math.max(1, all.length)];
}

async function start(world: World, number: number): Promise<void> {
  const found = pickAsset(world, number);
  if (!found || found.submission.mode === "sandbox") return;
  const { submission, asset } = found;
  const mayStart = !submission.isDeleted && (asset.status === "submitted" || asset.status === "processing");

  const run = await startAsset(service.app, {
    assetId: asset.assetId,
    workspaceId: world.workspace.workspaceId,
    submissionId: submission.submissionId,
    workflowId: asset.workflowId,
  });

  assert.equal(run !== undefined, mayStart);
  if (!run) return;
  asset.status = "processing";
  asset.run++;
  assert.equal(run.run, asset.run);
  world.tokens.push({ submission, asset, run: run.run });
}

async function complete(world: World, number: number): Promise<void> {
  const token = world.tokens[number % Math.max(1, world.tokens.length)];
  if (!token) return;
  const { submission, asset, run } = token;
  const isOurs = !submission.isDeleted && asset.status === "processing" && asset.run === run;

  const recorded = await recordAnalysis(service.app, {
    submissionId: submission.submissionId,
    workspaceId: world.workspace.workspaceId,
    assetId: asset.assetId,
    run,
    result: { findings: [], measurements: {}, context: {} },
  });

  assert.equal(recorded, isOurs);
  if (isOurs) asset.status = "complete";
}

async function fail(world: World, number: number, errorType: ErrorType): Promise<void> {
  const token = world.tokens[number % Math.max(1, world.tokens.length)];
  if (!token) return;
  const { submission, asset, run } = token;
  const isOurs =
    !submission.isDeleted && asset.run === run && (asset.status === "processing" || asset.status === "submitted");

  await failAsset(service.app, {
    submissionId: submission.submissionId,
    workspaceId: world.workspace.workspaceId,
    assetId: asset.assetId,
    run,
    errorType,
    errorMessage: "failed by the test",
  });

  if (isOurs) Object.assign(asset, { status: "failed", errorType });
}

async function retry(world: World, number: number): Promise<void> {
  const found = pickAsset(world, number);
  if (!found) return;
  const { submission, asset } = found;

  const { status, json } = await world.workspace.call(
    "POST",
    `/submissions/${submission.submissionId}/assets/${asset.assetId}/retry`,
    {
      mode: submission.mode,
    },
  );

  assert.equal(status === 202 ? "202" : `${status} ${String(json["error_code"])}`, expectedRetry(found));
  if (status !== 202) return;
  asset.countedRetries += asset.errorType === "insufficient_credits" ? 0 : 1;
  Object.assign(asset, {
    status: "submitted",
    errorType: null,
    workflowId: json["workflowId"],
    retryCount: asset.retryCount + 1,
  });
  submission.workflowId = String(json["workflowId"]);
}

function expectedRetry({ submission, asset }: { submission: ModelSubmission; asset: ModelAsset }): string {
  if (submission.isDeleted) return "404 not_found";
  if (asset.status === "submitted" || asset.status === "processing")
    return asset.retryCount > 0 ? "409 retry_in_flight" : "409 asset_not_failed";
  if (asset.status === "complete") return "409 asset_not_failed";
  if (asset.errorType === null || !errorTypes[asset.errorType].isRetryable) return "409 error_not_retryable";
  return asset.countedRetries >= 3 && asset.errorType !== "insufficient_credits" ? "409 retry_limit_reached" : "202";
}

async function remove(world: World, number: number): Promise<void> {
  const submission = world.submissions[number % Math.max(1, world.submissions.length)];
  if (!submission) return;

  const { status } = await world.workspace.call("DELETE", `/submissions/${submission.submissionId}`, {
    mode: submission.mode,
  });

  assert.equal(status, submission.isDeleted ? 404 : 204);
  submission.isDeleted = true;
  // The bytes went with it when it was the last to use them.
  world.blobPaths = await uploadAll(world.workspace);
}

async function end(world: World, number: number): Promise<void> {
  const submission = world.submissions[number % Math.max(1, world.submissions.length)];
  if (!submission) return;

  const { submissionId, workflowId } = submission;
  await simulate(service.app, { submissionId, workflowId, workspaceId: world.workspace.workspaceId });

  if (submission.mode === "sandbox" && !submission.isDeleted)
    for (const asset of submission.assets) asset.status = "complete";
}

async function newVersion(world: World, number: number): Promise<void> {
  const previous = world.submissions[number % Math.max(1, world.submissions.length)];
  if (!previous) return;
  const { mode } = previous;
  const answer = await world.workspace.call("POST", "/submissions", {
    mode,
    body: { assets: [{ blobPath: world.blobPaths[0], previousSubmissionId: previous.submissionId }] },
  });

  assert.equal(answer.status, previous.isDeleted ? 404 : 201, answer.text);
  const group = previous.assets[0]?.group ?? 0;
  if (answer.status === 201)
    addSubmission(world, {
      created: answer.json as Awaited<ReturnType<TestWorkspace["submit"]>>,
      mode,
      groups: [group],
    });
}

async function uploadAll(workspace: TestWorkspace): Promise<string[]> {
  return Promise.all(["a.txt", "b.txt", "c.txt"].map((filename) => workspace.upload({ filename })));
}

async function compare(world: World): Promise<void> {
  for (const submission of world.submissions) {
    const { status, json } = await world.workspace.call("GET", `/submissions/${submission.submissionId}`);
    assert.equal(status, submission.isDeleted ? 404 : 200);
    if (submission.isDeleted) continue;
    const { assets } = submission;
    const statuses = assets.map((asset) => asset.status);
    assert.equal(json["status"], expectedStatus(statuses));
    assert.equal(
      json["completedAt"] !== null,
      statuses.every((one) => one === "complete" || one === "failed"),
    );
    assert.equal(json["progressPercent"] === 100, json["status"] === "complete");
    assert.equal(json["workflowId"], submission.workflowId);
    assert.deepEqual(
      (json["assets"] as Record<string, unknown>[]).map((asset) => [
        asset["status"],
        asset["errorType"],
        asset["retryCount"],
        asset["versionNumber"],
      ]),
      assets.map((asset) => [asset.status, asset.errorType, asset.retryCount, asset.versionNumber]),
    );
    assert.equal(
      json["isRetryable"],
      json["status"] === "failed" && assets.some((asset) => expectedRetry({ submission, asset }) === "202"),
    );
  }
}

function expectedStatus(statuses: Status[]): Status {
  if (statuses.every((status) => status === "submitted")) return "submitted";
  if (statuses.some((status) => status === "submitted" || status === "processing")) return "processing";
  return statuses.includes("failed") ? "failed" : "complete";
}
