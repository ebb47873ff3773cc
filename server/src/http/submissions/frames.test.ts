import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { Finding } from "@greenlit/engine/finding.ts";
import { recordAnalysis } from "../../submissions/running/record-analysis.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
/** Nobody analyses here: the tests say what was found. */
let quiet: TestService;
before(async () => {
  service = await startTestService();
  quiet = await startTestService({ role: "api", env: { GREENLIT_LOG: "off" } });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await quiet[Symbol.asyncDispose]();
});

function finding(ruleCode: string): Finding {
  return {
    ruleCode,
    ruleVersion: "1",
    ruleSummary: "t",
    sidekickId: "b3c1b0de-0000-4000-8000-000000000001",
    sidekickName: "Test",
    packVersion: "1",
    summary: "s",
    severity: "MAJOR",
    severityReasoning: "r",
    severityReasoningHeadline: "h",
    needsHuman: false,
    precedents: [],
    fingerprint: ruleCode,
    location: null,
    measurement: null,
    recommendation: "f",
    citation: null,
  };
}

/** Two issues share a frame and a third has none. */
async function givenFrames() {
  const workspace = await quiet.newWorkspace();
  const { workspaceId } = workspace;
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const assetId = assets[0]?.assetId ?? "";
  const { db } = quiet.app;
  await db.updateTable("assets").set({ status: "processing", run: 1 }).where("assetId", "=", assetId).execute();
  const jpegBase64 = Buffer.from("a picture").toString("base64");
  const result = {
    findings: ["T-1", "T-2", "T-3"].map(finding),
    measurements: {},
    frames: [{ seconds: 3, page: null, jpegBase64, findings: [2, 0] }],
    context: {},
  };
  assert.ok(await recordAnalysis(quiet.app, { submissionId, workspaceId, assetId, run: 1, result }));
  const path = `/submissions/${submissionId}/assets/${assetId}/issues`;
  const issues = (await workspace.call("GET", path)).json["issues"] as { id: string }[];
  return { workspace, submissionId, assetId, paths: issues.map(({ id }) => `${path}/${id}/frame`) };
}

test("issues of one moment answer the same frame, and one without a place 404 frame_not_found", async () => {
  const { workspace, paths } = await givenFrames();

  const [first, second, third] = await Promise.all(paths.map((path) => workspace.call("GET", path)));

  assert.deepEqual([first?.status, first?.text], [200, "a picture"]);
  assert.equal(first?.headers.get("content-type"), "image/jpeg");
  assert.equal(third?.headers.get("etag"), first?.headers.get("etag"));
  assert.deepEqual([second?.status, second?.json["error_code"]], [404, "frame_not_found"]);
});

test("a frame may be cached for ever by whoever asked, and a cached one is not sent again", async () => {
  const { workspace, paths } = await givenFrames();
  const path = paths[0] ?? "";
  const answer = await workspace.call("GET", path);
  const etag = answer.headers.get("etag") ?? "";

  const again = await workspace.call("GET", path, { headers: { "if-none-match": `"other", W/${etag}` } });

  assert.equal(answer.headers.get("cache-control"), "private, max-age=31536000, immutable");
  assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
});

test("frames go with their submission", async () => {
  const { workspace, submissionId, assetId } = await givenFrames();

  await workspace.call("DELETE", `/submissions/${submissionId}`);

  const left = await quiet.app.db.selectFrom("assetFrames").select("frameId").where("assetId", "=", assetId).execute();
  assert.deepEqual(left, []);
});

test("a film that breaks off is seen where it does", async () => {
  const workspace = await service.newWorkspace();
  const whole = await readFile(new URL("../../../../engine/golden/files/scenes.mp4", import.meta.url));
  const bytes = Uint8Array.from(whole.subarray(0, Math.floor(whole.length * 0.8)));
  const blobPath = await workspace.upload({ filename: "cut.mp4", contentType: "video/mp4", bytes });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  await workspace.finish(submissionId);
  const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/issues`;
  const issues = (await workspace.call("GET", path)).json["issues"] as { id: string; ruleCode: string }[];
  const truncated = issues.find(({ ruleCode }) => ruleCode === "FILE-TRUNCATED");

  const response = await fetch(`${service.url}/api/integrations${path}/${truncated?.id}/frame`, {
    headers: { "x-api-key": workspace.keys.live },
  });

  assert.equal(response.status, 200);
  const start = Buffer.from(await response.arrayBuffer()).subarray(0, 3);
  assert.deepEqual([...start], [0xff, 0xd8, 0xff]);
});
