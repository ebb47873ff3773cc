import { sql, type Kysely } from "kysely";
import { fromKysely } from "pg-boss";
import type { Tables } from "../db/tables.ts";
import type { Queue } from "./queue.ts";

export type AnalysisJob = { assetId: string; workspaceId: string; workflowId: string };

/** Small assets have workers of their own, so that one never waits behind long ones only. */
export const analysisQueues = { small: "analyze-small-asset", large: "analyze-large-asset" } as const;

export type AnalysisQueue = (typeof analysisQueues)[keyof typeof analysisQueues];

/** Jobs whose workers all died end here, and their asset fails. */
export const lostQueue = "analysis-lost";

const smallBytes = 20 * 1024 * 1024;
const mostCounted = 1000;

export function analysisQueueOf(sizeBytes: number): AnalysisQueue {
  return sizeBytes <= smallBytes ? analysisQueues.small : analysisQueues.large;
}

/**
 * Enqueues in the caller's transaction, fairly: a job's place is the head of the queue plus the number of assets its
 * workspace has waiting. So a workspace with thousands waiting delays another's single asset by one asset's time, and
 * every job reaches the head in the end because new ones never get a place before it.
 */
export async function enqueueAnalysis(
  queue: Queue,
  trx: Kysely<Tables>,
  jobs: readonly (AnalysisJob & { queue: AnalysisQueue })[],
): Promise<void> {
  const waiting = await countWaiting(trx, jobs[0]?.workspaceId ?? "");
  for (const name of Object.values(analysisQueues)) {
    const mine = jobs.filter((job) => job.queue === name);
    if (mine.length === 0) continue;
    const head = await headOf(trx, name);
    await queue.boss.insert(
      name,
      mine.map(({ assetId, workspaceId, workflowId }, index) => ({
        data: { assetId, workspaceId, workflowId },
        priority: -(head + waiting + index),
      })),
      { db: fromKysely(trx) },
    );
  }
}

async function countWaiting(trx: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from assets where workspace_id = ${workspaceId} and status = 'submitted' limit ${mostCounted}
    ) waiting`.execute(trx);
  return rows[0]?.count ?? 0;
}

async function headOf(trx: Kysely<Tables>, name: AnalysisQueue): Promise<number> {
  const { rows } = await sql<{ priority: number }>`
    select priority from pgboss.job where name = ${name} and state < 'active' and not blocked
      order by priority desc limit 1`.execute(trx);
  return -(rows[0]?.priority ?? 0);
}
