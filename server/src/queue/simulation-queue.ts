import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Queue } from "./queue.ts";
import { simulationQueue } from "./queues.ts";

export type SimulationJob = { submissionId: string; workspaceId: string; workflowId: string };

/** Enqueues in the caller's transaction; with `startAfterSeconds` for the end of a simulated delay, which so survives a restart. */
export async function enqueueSimulation(
  queue: Queue,
  trx: Kysely<Tables>,
  job: SimulationJob,
  startAfterSeconds = 0,
): Promise<void> {
  await queue.enqueue(trx, simulationQueue, [{ data: job, startAfter: startAfterSeconds }]);
}
