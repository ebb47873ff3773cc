import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let hasty: TestService;
before(async () => {
  service = await startTestService();
  // No analysis ends in a millisecond: every asset fails for a reason that may be retried.
  hasty = await startTestService({ env: { GREENLIT_ANALYSIS_TIMEOUT: "1ms" } });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
});

/** Recognised as MP4 by its first bytes, and nothing behind them. */
const brokenMp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from("ftypisom\0\0\x02\0isomiso2"),
  Buffer.alloc(2000, 0x55),
]);

test("a file that cannot be read fails with its reason, and no retry is offered", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload({
    filename: "broken.mp4",
    contentType: "video/mp4",
    bytes: Uint8Array.from(brokenMp4),
  });
  const { submissionId, assets } = await workspace.submit({
    assets: [{ blobPath }, { blobPath: await workspace.upload() }],
  });

  const done = await workspace.finish(submissionId);
  const retry = await workspace.call("POST", `/submissions/${submissionId}/assets/${assets[0]?.assetId}/retry`);

  assert.equal(done["status"], "failed");
  assert.equal(done["progressPercent"], 99);
  assert.deepEqual(
    done.assets.map((asset) => [asset["status"], asset["errorType"]]),
    [
      ["failed", "corrupt_media"],
      ["complete", null],
    ],
  );
  assert.equal(done["errorMessage"], `1 of 2 assets failed: ${String(done.assets[0]?.["errorMessage"])}`);
  assert.equal(done["isRetryable"], false);
  assert.deepEqual([retry.status, retry.json["error_code"]], [409, "error_not_retryable"]);
});

test("409 asset_not_failed for a complete asset; 404 for an unknown one, 422 for a malformed id", async () => {
  const workspace = await service.newWorkspace();
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await workspace.finish(submissionId);
  const retry = (assetId: unknown) =>
    workspace.call("POST", `/submissions/${submissionId}/assets/${String(assetId)}/retry`);

  const [complete, unknown, malformed] = await Promise.all([
    retry(assets[0]?.assetId),
    retry(submissionId),
    retry("x"),
  ]);

  assert.deepEqual([complete.status, complete.json["error_code"]], [409, "asset_not_failed"]);
  assert.equal(unknown.status, 404);
  assert.deepEqual(
    [malformed.status, malformed.json["details"]],
    [422, [{ path: "asset_id", message: 'must match format "uuid"' }]],
  );
});

for (const [name, body, headers] of [
  ["no body", undefined, {}],
  ["an empty body of a form", "", { "content-type": "application/x-www-form-urlencoded" }],
  ["an empty body of JSON", "", { "content-type": "application/json" }],
  ["null", "null", {}],
  ["{}", {}, {}],
  ["a reason", { reason: "again" }, {}],
] as [string, unknown, Record<string, string>][])
  test(`a retry takes ${name}`, async () => {
    const workspace = await service.newWorkspace();
    const { submissionId, assets } = await workspace.submit(
      { assets: [{ blobPath: await workspace.upload() }] },
      { mode: "sandbox" },
    );

    const { status, json, text } = await workspace.call(
      "POST",
      `/submissions/${submissionId}/assets/${assets[0]?.assetId}/retry`,
      { mode: "sandbox", body, headers },
    );

    assert.deepEqual([status, json["error_code"]], [409, "asset_not_failed"], text);
  });

test("a retryable failure may be retried three times; of two at once one is taken", async () => {
  const workspace = await hasty.newWorkspace();
  const { submissionId, workflowId, assets } = await workspace.submit({
    assets: [{ blobPath: await workspace.upload() }],
  });
  const url = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/retry`;
  const failed = await workspace.finish(submissionId);
  assert.deepEqual(
    [failed.assets[0]?.["errorType"], failed.assets[0]?.["isRetryable"], failed["isRetryable"]],
    ["analyzer_timeout", true, true],
  );

  for (const round of [1, 2, 3]) {
    const answers = await Promise.all([
      workspace.call("POST", url),
      workspace.call("POST", url, { body: { reason: "again" } }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 409],
    );
    const [accepted, refused] = answers.toSorted((a, b) => a.status - b.status);
    assert.deepEqual(Object.keys(accepted?.json ?? {}), [
      "submissionId",
      "workflowId",
      "realtimeChannel",
      "status",
      "assets",
    ]);
    assert.notEqual(accepted?.json["workflowId"], workflowId);
    assert.match(String(refused?.json["error_code"]), /^(retry_in_flight|asset_not_failed)$/);
    const done = await workspace.finish(submissionId);
    assert.deepEqual(
      [done["status"], done.assets[0]?.["retryCount"], done.assets[0]?.["isRetryable"]],
      ["failed", round, round < 3],
    );
  }
  const last = await workspace.call("POST", url);

  assert.deepEqual([last.status, last.json["error_code"]], [409, "retry_limit_reached"]);
});

test("an id in upper case means the same submission, and answers have it in lower case", async () => {
  const workspace = await hasty.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await workspace.finish(created.submissionId);
  const asset = `${created.submissionId}/assets/${created.assets[0]?.assetId}`;

  for (const path of [created.submissionId, `${created.submissionId}/versions`, asset, `${asset}/issues`]) {
    const usual = await workspace.call("GET", `/submissions/${path}`);
    const upper = await workspace.call(
      "GET",
      `/submissions/${path.replaceAll(/[0-9a-f-]{36}/g, (id) => id.toUpperCase())}`,
    );
    assert.deepEqual([upper.status, upper.text], [usual.status, usual.text], path);
  }
  const retried = await workspace.call("POST", `/submissions/${asset.toUpperCase().replace("ASSETS", "assets")}/retry`);

  assert.deepEqual(
    [retried.status, retried.json["submissionId"], retried.json["realtimeChannel"]],
    [202, created.submissionId, created.realtimeChannel],
  );
});

test("a retry needs a key of the submission's own mode", async () => {
  const workspace = await hasty.newWorkspace();
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await workspace.finish(submissionId);
  const url = `/submissions/${submissionId}`;

  const retry = await workspace.call("POST", `${url}/assets/${assets[0]?.assetId}/retry`, { mode: "sandbox" });
  const remove = await workspace.call("DELETE", url, { mode: "sandbox" });
  const read = await workspace.call("GET", url, { mode: "sandbox" });

  assert.deepEqual([retry.status, retry.json["error_code"]], [403, "mode_mismatch"]);
  assert.deepEqual([remove.status, remove.json["error_code"]], [403, "mode_mismatch"]);
  assert.equal(read.status, 200);
});

test("issues, topics and diff are 404 until the asset has finished; the asset itself answers in every state", async () => {
  const workspace = await service.newWorkspace();
  const { submissionId, assets } = await workspace.submit(
    { assets: [{ blobPath: await workspace.upload() }] },
    { mode: "sandbox", headers: {} },
  );
  const slow = await workspace.call("POST", "/submissions?simulationDelaySeconds=30", {
    mode: "sandbox",
    body: { assets: [{ blobPath: await workspace.upload() }] },
  });
  const slowAsset = (slow.json["assets"] as { assetId: string }[])[0]?.assetId;
  const waiting = `/submissions/${String(slow.json["submissionId"])}/assets/${slowAsset}`;
  await workspace.finish(submissionId);
  const done = `/submissions/${submissionId}/assets/${assets[0]?.assetId}`;

  for (const part of ["issues", "topics", "diff", "measurements"]) {
    const before = await workspace.call("GET", `${waiting}/${part}`);
    assert.deepEqual([before.status, before.json["error_code"]], [404, "asset_not_finished"], part);
    assert.equal((await workspace.call("GET", `${done}/${part}`)).status, 200, part);
  }
  const asset = await workspace.call("GET", waiting);
  assert.deepEqual([asset.status, asset.json["issues"], asset.json["issueCount"]], [200, [], null]);
});

test("two new versions at once get two numbers, and a number is never used again", async () => {
  const workspace = await service.newWorkspace();
  const first = await workspace.submit({ assets: [{ blobPath: await workspace.upload({ filename: "ad.txt" }) }] });
  const next = async () =>
    workspace.submit({
      assets: [{ blobPath: `${workspace.workspaceId}/ad.txt`, previousSubmissionId: first.submissionId }],
    });

  const added = await Promise.all([next(), next(), next(), next()]);
  const highest = added.find(({ assets }) => assets[0]?.versionNumber === 5);
  await workspace.finish(highest?.submissionId ?? "");
  await workspace.call("DELETE", `/submissions/${highest?.submissionId}`);
  const after = await next();

  assert.deepEqual(
    added.map(({ assets }) => assets[0]?.versionNumber ?? 0).toSorted((a, b) => a - b),
    [2, 3, 4, 5],
  );
  assert.equal(after.assets[0]?.versionNumber, 6);
  const { json } = await workspace.call("GET", `/submissions/${first.submissionId}/versions`);
  const versions = json["versions"] as { versionNumber: number; isLatest: boolean; versionGroupId: string }[];
  assert.deepEqual(
    versions.map(({ versionNumber, isLatest }) => [versionNumber, isLatest]),
    [
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [6, true],
    ],
  );
  assert.equal(new Set(versions.map(({ versionGroupId }) => versionGroupId)).size, 1);
});

test("a new version of a submission of several assets continues the one of its filename, else it is 422", async () => {
  const workspace = await service.newWorkspace();
  const [a, b, c] = await Promise.all(["a.txt", "b.txt", "c.txt"].map((filename) => workspace.upload({ filename })));
  const first = await workspace.submit({ assets: [{ blobPath: a }, { blobPath: b }] });
  const previousSubmissionId = first.submissionId;

  const good = await workspace.submit({ assets: [{ blobPath: b, previousSubmissionId }] });
  const none = await workspace.call("POST", "/submissions", {
    body: { assets: [{ blobPath: c, previousSubmissionId }] },
  });
  const single = await workspace.submit({ assets: [{ blobPath: c }] });
  const twice = await workspace.call("POST", "/submissions", {
    body: { assets: [a, b].map((blobPath) => ({ blobPath, previousSubmissionId: single.submissionId })) },
  });
  const otherMode = await workspace.call("POST", "/submissions", {
    mode: "sandbox",
    body: { assets: [{ blobPath: a, previousSubmissionId }] },
  });

  assert.deepEqual(good.assets[0]?.versionGroupId, first.assets[1]?.versionGroupId);
  assert.deepEqual([none.status, twice.status, otherMode.status], [422, 422, 422]);
});

test("a deleted submission is gone with its results and bytes, but not the bytes that another one uses", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload({ filename: "shared.txt" });
  const first = await workspace.submit({ assets: [{ blobPath }] });
  const second = await workspace.submit({ assets: [{ blobPath }] });
  await Promise.all([first, second].map(({ submissionId }) => workspace.finish(submissionId)));
  const original = (created: typeof first) =>
    workspace.call("GET", `/submissions/${created.submissionId}/assets/${created.assets[0]?.assetId}/original`);

  const removed = await workspace.call("DELETE", `/submissions/${first.submissionId}`);
  const kept = await original(second);
  const bytes = await fetch(kept.headers.get("location") ?? "");

  assert.equal(removed.status, 204);
  assert.equal((await workspace.call("GET", `/submissions/${first.submissionId}`)).status, 404);
  assert.equal((await workspace.call("DELETE", `/submissions/${first.submissionId}`)).status, 404);
  assert.deepEqual([kept.status, await bytes.text()], [302, "A plain note.\n"]);
  await workspace.call("DELETE", `/submissions/${second.submissionId}`);
  assert.equal((await fetch(kept.headers.get("location") ?? "")).status, 404);
  assert.equal((await workspace.call("POST", "/submissions", { body: { assets: [{ blobPath }] } })).status, 403);
});

test("submissions are listed newest first, by pages and by status", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload();
  const ids = [];
  for (let i = 0; i < 5; i++) ids.push((await workspace.submit({ assets: [{ blobPath }] })).submissionId);
  for (const id of ids) await workspace.finish(id);

  const seen: unknown[] = [];
  for (let cursor = ""; ;) {
    const { json } = await workspace.call(
      "GET",
      `/submissions?limit=2&status=complete${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...(json["data"] as { submissionId: string }[]).map(({ submissionId }) => submissionId));
    if (!json["hasMore"]) break;
    cursor = String(json["nextCursor"]);
  }

  assert.deepEqual(seen, ids.toReversed());
  for (const status of ["failed", "uploading"])
    assert.deepEqual((await workspace.call("GET", `/submissions?status=${status}`)).json, {
      data: [],
      hasMore: false,
      nextCursor: null,
    });
  const all = await workspace.call("GET", "/submissions");
  assert.equal((await workspace.call("GET", "/submissions?status=&cursor=&limit=")).text, all.text);
  for (const bad of ["limit=0", "limit=101", "status=gone", "cursor=!!", "cursor=eA"])
    assert.equal((await workspace.call("GET", `/submissions?${bad}`)).status, 422, bad);
});

test("credits are held and taken; what the balance does not cover fails, and a retry after a grant completes", async () => {
  const workspace = await service.newWorkspace({ credits: 1 });
  const { grantCredits, findWorkspace } = await import("../../workspaces/manage-workspaces.ts");
  const blobPath = await workspace.upload();
  const balance = async () => (await findWorkspace(service.app.db, workspace.workspaceId)).creditBalance;

  const first = await workspace.submit({ assets: [{ blobPath }] });
  await workspace.finish(first.submissionId);
  const second = await workspace.submit({ assets: [{ blobPath }] });
  const poor = await workspace.finish(second.submissionId);
  assert.deepEqual(
    [await balance(), poor.assets[0]?.["errorType"], poor.assets[0]?.["isRetryable"]],
    [0, "insufficient_credits", true],
  );
  assert.match(String(poor.assets[0]?.["errorMessage"]), /needs 1 credit, more than/);

  await grantCredits(service.app.db, { workspace: workspace.workspaceId, amount: 2 });
  const retry = await workspace.call(
    "POST",
    `/submissions/${second.submissionId}/assets/${second.assets[0]?.assetId}/retry`,
  );
  const done = await workspace.finish(second.submissionId);

  assert.equal(retry.status, 202);
  assert.deepEqual([done["status"], done.assets[0]?.["retryCount"], await balance()], ["complete", 1, 1]);
});

test("a sandbox submission costs no credits", async () => {
  const workspace = await service.newWorkspace({ credits: 0 });

  const { submissionId } = await workspace.submit(
    { assets: [{ blobPath: await workspace.upload() }] },
    { mode: "sandbox" },
  );

  assert.equal((await workspace.finish(submissionId))["status"], "complete");
});
