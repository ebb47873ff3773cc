import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import pg from "pg";
import { housekeeping } from "../../jobs/housekeeping.ts";
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

const justOne = { assets: 1, failed: 0, sizeBytes: 5 };

async function thisWeek(service: TestService, workspaceId: string) {
  const person = await givenPerson(service, { roles: [{ workspaceId, role: "viewer" }] });
  const { json } = await person.call("GET", "/usage");
  const weeks = json["data"] as { week: string; assets: number; failed: number; sizeBytes: number }[];
  assert.equal(weeks.length, 12);
  return weeks.at(-1) ?? assert.fail();
}
