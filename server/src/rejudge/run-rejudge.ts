import { isDeepStrictEqual } from "node:util";
import type { Finding } from "@greenlit/engine/finding.ts";
import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { readEvidence, storedEvidenceOf } from "../evidence/read-evidence.ts";
import { reviewersId } from "../review/report-issue.ts";
import { secondReaderId } from "../second-reader/second-reader.ts";
import { isStoreError } from "../storage/store.ts";
import { withDistinctFingerprints } from "../submissions/issues/make-issues.ts";
import { diffFindings } from "./diff-findings.ts";
import { replaceResult } from "./replace-result.ts";
import type { Candidate, Judged, RejudgeRequest, Run } from "./rejudge.ts";
import { assetsOf } from "./start-rejudge.ts";

export type RejudgeJob = { rejudgeId: string; workspaceId: string };

const batchSize = 64;

/**
 * Judges the kept evidence of all assets of a run, a batch at a time, and goes on where a worker that died stopped. A
 * dry run only writes down what would differ.
 */
export async function runRejudge(app: App, { rejudgeId, workspaceId, signal }: RejudgeJob & { signal: AbortSignal }) {
  let run = await takeRun(app, { rejudgeId, workspaceId });
  if (!run) return;
  const log = app.log.child({ rejudgeId, workspaceId });
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const batch = await readBatch(app.db, run);
    const last = batch.at(-1);
    if (last === undefined) break;
    const judged = await judgeBatch(app, { run, batch });
    const next = await recordBatch(app, { run, judged, skipped: batch.length - judged.length, position: last.assetId });
    if (!next) return;
    run = next;
  }
  await complete(app, run);
  const seconds = (performance.now() - startedAt) / 1000;
  log.info({ assets: run.doneCount, changed: run.changedCount, seconds: Math.round(seconds) }, "rejudge complete");
}

async function takeRun(app: App, { rejudgeId, workspaceId }: RejudgeJob): Promise<Run | undefined> {
  return app.db
    .updateTable("rejudges")
    .set((where) => ({ state: "working", run: where("run", "+", 1) }))
    .where("rejudgeId", "=", rejudgeId)
    .where("workspaceId", "=", workspaceId)
    .where("state", "in", ["waiting", "working"])
    .returningAll()
    .executeTakeFirst();
}

async function readBatch(db: Kysely<Tables>, run: Run): Promise<Candidate[]> {
  const { workspaceId, mode, position } = run;
  const { filter } = run.request as RejudgeRequest;
  const { rows } = await sql<Candidate>`
    select asset_id, submission_id, filename, asset_results.context, sidekick_ids, evidence_key, evidence_etag,
        evidence_sha256, evidence_size_bytes ${assetsOf({ workspaceId, mode, filter })}
        and evidence_key is not null and (${position}::uuid is null or asset_id > ${position}::uuid)
        and assets.completed_at < ${run.createdAt}
      order by asset_id limit ${batchSize}`.execute(db);
  return rows;
}

async function judgeBatch(app: App, { run, batch }: { run: Run; batch: readonly Candidate[] }): Promise<Judged[]> {
  const request = run.request as RejudgeRequest;
  const before = await findingsOf(app.db, { run, assetIds: batch.map(({ assetId }) => assetId) });
  const today = app.now().toISOString().slice(0, 10);
  const judged = await Promise.all(
    batch.map(async (candidate): Promise<Judged | undefined> => {
      const bytes = await readKept(app, candidate);
      if (!bytes) return undefined;
      const context = { ...candidate.context, ...request.context };
      const sidekickIds = request.sidekickIds ?? candidate.sidekickIds;
      const wanted = { sidekickIds, context, today, wantsMeasurements: !run.isDryRun };
      const [result] = await app.judges.judge(bytes, [wanted]);
      if (!result) return undefined;
      const findings = withDistinctFingerprints(result.findings);
      const changes = diffFindings(before.get(candidate.assetId) ?? [], findings);
      return { candidate, context, findings, measurements: result.measurements, changes };
    }),
  );
  return judged.filter((one) => one !== undefined);
}

/** Undefined: deleted meanwhile. */
async function readKept(app: App, candidate: Candidate): Promise<Buffer | undefined> {
  const evidence = storedEvidenceOf(candidate);
  try {
    return evidence && (await readEvidence(app, evidence));
  } catch (error) {
    if (isStoreError(error, "object_missing", "object_changed")) return undefined;
    throw error;
  }
}

/** What rules found so far; what people and the second reader found is not theirs to take away. */
async function findingsOf(
  db: Kysely<Tables>,
  { run, assetIds }: { run: Run; assetIds: string[] },
): Promise<Map<string, Finding[]>> {
  const rows = await db
    .selectFrom("issues")
    .select(["assetId", "finding", "fingerprint"])
    .where("assetId", "in", assetIds)
    .where("workspaceId", "=", run.workspaceId)
    .where("sidekickId", "not in", [reviewersId, secondReaderId])
    .orderBy("position")
    .execute();
  const byAsset = Map.groupBy(rows, ({ assetId }) => assetId);
  return new Map(
    [...byAsset].map(([assetId, issues]) => [
      assetId,
      issues.map(({ finding, fingerprint }) => ({ ...(finding as Finding), fingerprint })),
    ]),
  );
}

/** Undefined: another worker has the run now. */
async function recordBatch(
  app: App,
  options: { run: Run; judged: readonly Judged[]; skipped: number; position: string },
): Promise<Run | undefined> {
  const { run, judged, skipped, position } = options;
  const changed = judged.filter(({ changes }) => changes.length > 0);
  const toReplace = judged.filter(
    ({ changes, context, candidate }) => changes.length > 0 || !isDeepStrictEqual(context, candidate.context),
  );
  // Each in a transaction of its own, with its changes: what is replaced is also told, whenever this process dies.
  if (!run.isDryRun)
    for (const one of toReplace)
      await app.db.transaction().execute(async (trx) => {
        if (!(await isStillOurs(trx, run))) return;
        if (await replaceResult(app, trx, { run, judged: one })) await insertChanges(app, trx, { run, judged: [one] });
      });
  return app.db.transaction().execute(async (trx) => {
    if (run.isDryRun) await insertChanges(app, trx, { run, judged: changed });
    return trx
      .updateTable("rejudges")
      .set((where) => ({
        position,
        doneCount: where("doneCount", "+", judged.length),
        changedCount: where("changedCount", "+", changed.length),
        skippedCount: where("skippedCount", "+", skipped),
      }))
      .where("rejudgeId", "=", run.rejudgeId)
      .where("workspaceId", "=", run.workspaceId)
      .where("run", "=", run.run)
      .returningAll()
      .executeTakeFirst();
  });
}

/** Held until the transaction ends: a worker that takes over waits for it. */
async function isStillOurs(trx: Kysely<Tables>, { rejudgeId, workspaceId, run }: Run): Promise<boolean> {
  const { rows } = await sql`
    select from rejudges where rejudge_id = ${rejudgeId} and workspace_id = ${workspaceId} and run = ${run}
      for share`.execute(trx);
  return rows.length > 0;
}

async function insertChanges(
  app: App,
  trx: Kysely<Tables>,
  { run, judged }: { run: Run; judged: readonly Judged[] },
): Promise<void> {
  const now = app.now().getTime();
  const { rejudgeId, workspaceId } = run;
  const rows = judged.flatMap(({ candidate: { submissionId, assetId, filename }, changes }) =>
    changes.map((change) => ({
      changeId: uuidv7(now),
      rejudgeId,
      workspaceId,
      submissionId,
      assetId,
      filename,
      ...change,
    })),
  );
  for (let start = 0; start < rows.length; start += 1000)
    await trx
      .insertInto("rejudgeChanges")
      .values(rows.slice(start, start + 1000))
      .execute();
}

async function complete(app: App, run: Run): Promise<void> {
  const { rejudgeId, workspaceId, isDryRun, doneCount, changedCount } = run;
  const now = app.now();
  await app.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("rejudges")
      .set({ state: "complete", completedAt: now })
      .where("rejudgeId", "=", rejudgeId)
      .where("workspaceId", "=", workspaceId)
      .where("run", "=", run.run)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const actor = { kind: run.actorKind, id: run.actorId, name: run.actorName };
    const target = { kind: "rejudge", id: rejudgeId };
    const detail = { isDryRun, doneCount, changedCount };
    await recordAudit(trx, { workspaceId, actor, now, changes: [{ action: "rejudge.completed", target, detail }] });
  });
}
