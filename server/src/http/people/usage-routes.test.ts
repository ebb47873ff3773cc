import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import pg from "pg";
import { housekeeping } from "../../jobs/housekeeping.ts";
import { findWorkspace } from "../../workspaces/manage-workspaces.ts";
import type { UsageWeek } from "../../workspaces/usage.ts";
import { failAsset } from "../../submissions/running/fail-asset.ts";
import { startAsset } from "../../submissions/running/start-asset.ts";
import { createTestDatabase } from "../../testing/test-database.ts";
import { givenPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

test("usage counts what was analysed this week, once, and nothing of another workspace or of the sandbox", async () => {
  await using service = await startTestService();
  const workspace = await service.newWorkspace();
  const other = await service.newWorkspace();
  const assets = [{ blobPath: await workspace.upload({ bytes: "12345" }) }];
  const { submissionId } = await workspace.submit({ assets });
  await workspace.finish(submissionId);
  const tried = await workspace.submit(
    { assets: [{ blobPath: await workspace.upload({ mode: "sandbox" }) }] },
    { mode: "sandbox" },
  );
  const sandboxPath = `/submissions/${tried.submissionId}`;
  await until(
    async () => (await workspace.call("GET", sandboxPath, { mode: "sandbox" })).json["status"] === "complete",
  );

  const counted = await thisWeek(service, workspace.workspaceId);
  await Promise.all([housekeeping(service.app), housekeeping(service.app)]);
  const added = await thisWeek(service, workspace.workspaceId);
  await workspace.call("DELETE", `/submissions/${submissionId}`);
  const deleted = await thisWeek(service, workspace.workspaceId);

  assert.deepEqual({ assets: counted.assets, failed: counted.failed, sizeBytes: counted.sizeBytes }, justOne);
  assert.deepEqual([added, deleted], [counted, counted]);
  assert.equal((await thisWeek(service, other.workspaceId)).assets, 0);
});

test("usage has the minutes of sound that was rendered, and the credits that were taken", async () => {
  await using service = await startTestService({ env: { GREENLIT_RENDITIONS: "true" } });
  const workspace = await service.newWorkspace({ credits: 10 });
  const sound = { filename: "silence.wav", contentType: "audio/wav", bytes: silence({ seconds: 12 }) };
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload(sound) }] });
  await workspace.finish(submissionId);
  const renditions = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/renditions`;
  await until(async () => (await workspace.call("GET", renditions)).json["status"] === "ready");
  const { creditBalance } = await findWorkspace(service.app.db, workspace.workspaceId);

  const { minutes, credits } = await thisWeek(service, workspace.workspaceId);

  assert.equal(minutes, 0.2);
  assert.ok(credits > 0);
  assert.equal(credits, 10 - Number(creditBalance));
});

test("an analysis that failed is no failure any more when it is tried again", async () => {
  // Without workers: the test is the worker.
  await using service = await startTestService({ role: "api" });
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload({ bytes: "12345" }) }] });
  const { submissionId, workflowId } = created;
  const ids = { submissionId, workspaceId: workspace.workspaceId, assetId: created.assets[0]?.assetId ?? "" };
  const { run = 0 } = (await startAsset(service.app, { ...ids, workflowId })) ?? {};
  await failAsset(service.app, { ...ids, run, errorType: "analyzer_timeout", errorMessage: "It took too long." });

  const failed = await thisWeek(service, workspace.workspaceId);
  const retry = await workspace.call("POST", `/submissions/${submissionId}/assets/${ids.assetId}/retry`);
  const tried = await thisWeek(service, workspace.workspaceId);

  assert.equal(retry.status, 202);
  assert.deepEqual([failed.failed, failed.sizeBytes], [1, 5]);
  assert.deepEqual([tried.failed, tried.sizeBytes], [0, 0]);
});

test("what was analysed before this was counted is counted by the migration", async () => {
  await using database = await createTestDatabase();
  const env = { DATABASE_URL: database.url };
  let workspaceId = "";
  {
    await using service = await startTestService({ env });
    const workspace = await service.newWorkspace();
    workspaceId = workspace.workspaceId;
    const { submissionId } = await workspace.submit({
      assets: [{ blobPath: await workspace.upload({ bytes: "12345" }) }],
    });
    await workspace.finish(submissionId);
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    drop table usage_weeks, usage_changes;
    drop function count_analysed_asset, count_rendered_seconds, count_credits cascade;
    delete from kysely_migration where name = '0035-usage'`);
  await client.end();

  await using service = await startTestService({ env });

  const { assets, failed, sizeBytes } = await thisWeek(service, workspaceId);
  assert.deepEqual({ assets, failed, sizeBytes }, justOne);
});

/** 8,000 samples a second, 16 bits, one channel. */
function silence({ seconds }: { seconds: number }): Uint8Array<ArrayBuffer> {
  const wav = Buffer.alloc(44 + seconds * 16_000);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(wav.length - 44, 40);
  return Uint8Array.from(wav);
}

const justOne = { assets: 1, failed: 0, sizeBytes: 5 };

async function thisWeek(service: TestService, workspaceId: string) {
  const person = await givenPerson(service, { roles: [{ workspaceId, role: "viewer" }] });
  const { json } = await person.call("GET", "/usage");
  const weeks = json["data"] as UsageWeek[];
  assert.equal(weeks.length, 12);
  return weeks.at(-1) ?? assert.fail();
}
