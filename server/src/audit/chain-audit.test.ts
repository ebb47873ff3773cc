import assert from "node:assert/strict";
import { after, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { sql } from "kysely";
import { housekeeping } from "../jobs/housekeeping.ts";
import { startTestService } from "../testing/test-service.ts";
import { operator } from "../workspaces/caller.ts";
import { createKey } from "../workspaces/manage-keys.ts";
import { verifyAudit } from "./read-audit.ts";
import { writeAudit } from "./record-audit.ts";

const service = await startTestService({ role: "api" });
after(() => service[Symbol.asyncDispose]());
const { db } = service.app;

test("submissions that are created at once are all in the audit, each once, and the chain is whole", async () => {
  const workspace = await service.newWorkspace();
  const paths = await Promise.all(
    Array.from({ length: 12 }, (_, number) => workspace.upload({ filename: `note-${number}.txt` })),
  );

  const created = await Promise.all(paths.map((blobPath) => workspace.submit({ assets: [{ blobPath }] })));

  const ids = created.map(({ submissionId }) => submissionId);
  const { data } = (await workspace.call("GET", "/audit?limit=100&action=submission.created")).json as unknown as Audit;
  assert.deepEqual(data.map(({ target }) => target.id).toSorted(), ids.toSorted());
  const proof = await verifyAudit(db, workspace.workspaceId);
  assert.equal(proof.broken, null);
  assert.equal(proof.head, (await newest(workspace)).hash);
});

test("an entry is chained soon after its submission, although nobody reads the audit", async () => {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload();

  await workspace.submit({ assets: [{ blobPath }] });

  await until(async () => (await waiting(workspace.workspaceId)) === 0 && (await chained(workspace.workspaceId)) === 1);
});

test("what a killed process left waiting is chained by housekeeping", async () => {
  const { workspaceId } = await service.newWorkspace();
  await leaveWaiting(workspaceId, "submission.created");

  await housekeeping(service.app);

  assert.deepEqual([await waiting(workspaceId), await chained(workspaceId)], [0, 1]);
});

test("what waits comes before the change that followed it", async () => {
  const workspace = await service.newWorkspace();
  await leaveWaiting(workspace.workspaceId, "submission.created");

  await createKey(db, { workspace: workspace.workspaceId, mode: "live" });

  const { data } = (await workspace.call("GET", "/audit?limit=2")).json as unknown as Audit;
  assert.deepEqual(
    data.map(({ action }) => action),
    ["key.created", "submission.created"],
  );
});

type Audit = { data: { action: string; hash: string; target: { id: string } }[] };

async function newest(workspace: Awaited<ReturnType<typeof service.newWorkspace>>) {
  const { data } = (await workspace.call("GET", "/audit?limit=1")).json as unknown as Audit;
  return data[0] ?? assert.fail("the audit is empty");
}

async function leaveWaiting(workspaceId: string, action: string): Promise<void> {
  const target = { kind: "submission", id: "x" };
  const entries = writeAudit({ workspaceId, actor: operator, now: new Date(), changes: [{ action, target }] });
  await sql`
    insert into audit_waiting (workspace_id, entry)
      select ${workspaceId}, entry from jsonb_array_elements(${entries}::jsonb) as entry`.execute(db);
}

async function waiting(workspaceId: string): Promise<number> {
  return countOf(sql`select count(*)::int as count from audit_waiting where workspace_id = ${workspaceId}`);
}

async function chained(workspaceId: string): Promise<number> {
  return countOf(
    sql`select count(*)::int as count from audit_entries where workspace_id = ${workspaceId} and action = 'submission.created'`,
  );
}

async function countOf(query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await query.execute(db);
  return (rows[0] as { count: number }).count;
}
