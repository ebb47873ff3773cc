import { sql } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Mode } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { rejudgeQueue } from "../queue/queues.ts";
import { chooseSidekicks } from "../submissions/creating/sidekicks.ts";
import type { Caller } from "../workspaces/caller.ts";
import type { RejudgeFilter, RejudgeRequest } from "./rejudge.ts";
import { readRejudge, type DescribedRejudge } from "./read-rejudge.ts";

/** Puts a run into the queue. It judges by the packs that are loaded when it runs. */
export async function startRejudge(
  app: App,
  options: { caller: Caller; isDryRun: boolean; request: RejudgeRequest },
): Promise<DescribedRejudge> {
  const { caller, isDryRun, request } = options;
  const { workspaceId, mode, actor } = caller;
  if (request.sidekickIds) await chooseSidekicks(app, { workspaceId, sidekickIds: request.sidekickIds });
  const now = app.now();
  const rejudgeId = uuidv7(now.getTime());
  await app.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ all: number; kept: number }>`
      select count(*)::integer as all, count(evidence_key)::integer as kept ${assetsOf({ workspaceId, mode, filter: request.filter })}`.execute(
      trx,
    );
    const { all = 0, kept = 0 } = rows[0] ?? {};
    await trx
      .insertInto("rejudges")
      .values({
        rejudgeId,
        workspaceId,
        mode,
        state: "waiting",
        isDryRun,
        request: JSON.stringify(request),
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        assetCount: kept,
        skippedCount: all - kept,
        createdAt: now,
      })
      .execute();
    await app.queue.enqueue(trx, rejudgeQueue, [{ data: { rejudgeId, workspaceId } }]);
    const target = { kind: "rejudge", id: rejudgeId };
    const detail = { isDryRun, assetCount: kept };
    await recordAudit(trx, { workspaceId, actor, now, changes: [{ action: "rejudge.started", target, detail }] });
  });
  return readRejudge(app, { workspaceId, rejudgeId });
}

/** The part of a query from its `from` on: complete assets of a workspace that pass the filter. */
export function assetsOf(options: { workspaceId: string; mode: Mode; filter: RejudgeFilter }) {
  const { workspaceId, mode, filter } = options;
  const { since = null, until = null, submissionIds = null } = filter;
  return sql`
    from assets join asset_results using (asset_id) join submissions using (submission_id)
      where assets.workspace_id = ${workspaceId} and assets.status = 'complete' and submissions.mode = ${mode}
        and (${since}::timestamptz is null or assets.completed_at >= ${since}::timestamptz)
        and (${until}::timestamptz is null or assets.completed_at < ${until}::timestamptz)
        and (${submissionIds}::uuid[] is null or submission_id = any (${submissionIds}::uuid[]))`;
}
