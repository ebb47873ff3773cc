import type { Kysely } from "kysely";
import { prepareStatement } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import type { Queue } from "./queue.ts";
import { type AnalysisQueue, analysisQueues } from "./queues.ts";

export type AnalysisJob = {
  assetId: string;
  submissionId: string;
  workspaceId: string;
  workflowId: string;
  /** Where the bytes are, when the job tells: they can be fetched while the asset is started. */
  media?: { reference: string; etag: string };
};

const smallBytes = 20 * 1024 * 1024;
const maxCounted = 1000;

export function analysisQueueOf(sizeBytes: number): AnalysisQueue {
  return sizeBytes <= smallBytes ? analysisQueues.small : analysisQueues.large;
}

/** What a fair place in the queue depends on. */
export type Place = { waiting: number; smallHead: number | null; largeHead: number | null };

const headOf = (name: AnalysisQueue) => `(
    select priority from pgboss.job where name = '${name}' and state < 'active' and not blocked
      order by priority desc limit 1
  )`;

const countWaiting = `(
    select count(*) from (
      -- In the order of the index: without one, the planner reads the table until it has met that many.
      select 1 from assets where workspace_id = :workspaceId and status = 'submitted' order by asset_id limit ${maxCounted}
    ) mine
  )`;

/** What a statement of a workspace (`:workspaceId`) selects for the place of its jobs; assets that it makes itself are not counted. */
const placeColumns = (waiting: string) =>
  `${waiting} as waiting, ${headOf(analysisQueues.small)} as small_head, ${headOf(analysisQueues.large)} as large_head`;

/**
 * The parts of a statement that enqueue a job for each row of its `asset`, whose bytes are in a row of its `frozen`, in
 * the place that `enqueueAnalysis` gives it: what pg-boss's own insert would do in a round trip of its own. Parameters:
 * `:submissionId`, `:workspaceId`, `:workflowId`, and `:knownBacklog`, null to have it counted (see known-backlogs.ts).
 * `woken` must be read, else nobody is woken.
 */
export const enqueueParts = (condition: string) => `
  place as materialized (
    select ${placeColumns(`least(coalesce(:knownBacklog::bigint, ${countWaiting}), ${maxCounted})`)}
  ), job as (
    insert into pgboss.job (name, data, priority, start_after, created_on, keep_until, expire_seconds, deletion_seconds,
        retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
      select queue.name,
          jsonb_build_object('assetId', asset_id, 'submissionId', :submissionId::uuid, 'workspaceId', :workspaceId::text,
            'workflowId', :workflowId::text, 'media', jsonb_build_object('reference', reference, 'etag', etag)),
          coalesce(case queue.name when '${analysisQueues.small}' then small_head else large_head end, 0) - waiting
            - (row_number() over (partition by queue.name order by position) - 1),
          now, now, now + queue.retention_seconds * interval '1s', queue.expire_seconds, queue.deletion_seconds,
          queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.policy,
          queue.dead_letter, queue.heartbeat_seconds
        from asset join frozen using (media_id) cross join place cross join (select pgboss.job_now() as now) clock
          join pgboss.queue on queue.name = case
            when size_bytes <= ${smallBytes} then '${analysisQueues.small}' else '${analysisQueues.large}' end
        where ${condition}
      returning name
  ), woken as materialized (
    select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from job group by name
  )`;

/**
 * A part of a statement that completes the job it was taken for (`:queueName`, `:jobId`; null for none), after a part
 * `submission` that is empty when nothing may be stored: what pg-boss would do in a commit of its own, and then finds done.
 */
export const completeTakenJob = `completed as (
    update pgboss.job set state = 'completed', completed_on = pgboss.job_now()
      from submission where job.name = :queueName::text and job.id = :jobId::uuid and job.state = 'active'
  )`;

/**
 * Enqueues in the caller's transaction, fairly: a job's place is the head of the queue plus the number of assets its
 * workspace has waiting. So a workspace with thousands waiting delays another's single asset by one asset's time, and
 * every job reaches the head in the end because new ones never get a place before it.
 */
export async function enqueueAnalysis(
  queue: Queue,
  trx: Kysely<Tables>,
  { jobs, place }: { jobs: readonly (AnalysisJob & { queue: AnalysisQueue })[]; place: Place },
): Promise<void> {
  const heads = { [analysisQueues.small]: place.smallHead, [analysisQueues.large]: place.largeHead };
  for (const name of Object.values(analysisQueues)) {
    const mine = jobs.filter((job) => job.queue === name);
    if (mine.length === 0) continue;
    const next = place.waiting - (heads[name] ?? 0);
    await queue.enqueue(
      trx,
      name,
      mine.map(({ assetId, submissionId, workspaceId, workflowId }, index) => ({
        data: { assetId, submissionId, workspaceId, workflowId },
        priority: -(next + index),
      })),
    );
  }
}

/** The place of an asset that waits again. */
export async function readPlace(trx: Kysely<Tables>, asset: { workspaceId: string }): Promise<Place> {
  const [place] = await selectPlace(trx, { workspaceId: asset.workspaceId });
  return place ? { ...place, waiting: place.waiting - 1 } : { waiting: 0, smallHead: null, largeHead: null };
}

const selectPlace = prepareStatement<{ workspaceId: string }, Place>(`select ${placeColumns(countWaiting)}`);
