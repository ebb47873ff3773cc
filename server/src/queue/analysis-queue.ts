import { sql, type Kysely } from "kysely";
import { fromKysely } from "pg-boss";
import type { Tables } from "../db/tables.ts";
import type { Queue } from "./queue.ts";

export type AnalysisJob = { assetId: string; submissionId: string; workspaceId: string; workflowId: string };

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
  for (const name of Object.values(analysisQueues)) {
    const mine = jobs.filter((job) => job.queue === name);
    if (mine.length === 0) continue;
    const place = await nextPlace(trx, { name, workspaceId: mine[0]?.workspaceId ?? "" });
    await queue.boss.insert(
      name,
      mine.map(({ assetId, submissionId, workspaceId, workflowId }, index) => ({
        data: { assetId, submissionId, workspaceId, workflowId },
        priority: -(place + index),
      })),
      { db: fromKysely(trx) },
    );
  }
}

async function nextPlace(
  trx: Kysely<Tables>,
  { name, workspaceId }: { name: AnalysisQueue; workspaceId: string },
): Promise<number> {
  const { rows } = await sql<{ waiting: number; head: number | null }>`
    select (
      select count(*) from (
        select 1 from assets where workspace_id = ${workspaceId} and status = 'submitted' limit ${mostCounted}
      ) mine
    ) as waiting, (
      select priority from pgboss.job where name = ${name} and state < 'active' and not blocked
        order by priority desc limit 1
    ) as head`.execute(trx);
  return (rows[0]?.waiting ?? 0) - (rows[0]?.head ?? 0);
}
