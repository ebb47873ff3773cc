import type { Queue as QueueOptions } from "pg-boss";

/** Small assets have workers of their own, so that one never waits behind long ones only. */
export const analysisQueues = { small: "analyze-small-asset", large: "analyze-large-asset" } as const;

export type AnalysisQueue = (typeof analysisQueues)[keyof typeof analysisQueues];

/** Jobs whose workers all died end here, and their asset fails. */
export const lostQueue = "analysis-lost";

export const simulationQueue = "simulate-submission";

export const rejudgeQueue = "rejudge";

export const verificationQueue = "verify-content";

export const housekeepingQueue = "housekeeping";

/**
 * A dead worker's job is taken over after ten seconds without a heartbeat. That the service was killed or restarted is
 * not the asset's fault, so the limit is only there to end a loop some day: what an analysis does wrong itself is counted
 * with the asset, and ends it much sooner.
 */
const takenOver: Omit<QueueOptions, "name"> = {
  retryLimit: 1000,
  // A worker that stops hands its job back, and another has it a second later; trouble that stays is met more and more slowly.
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  heartbeatSeconds: 10,
  expireInSeconds: 86_399,
  notify: true,
};

/** Every queue, with how its jobs are retried. */
export const queues: QueueOptions[] = [
  { name: lostQueue, ...takenOver },
  ...Object.values(analysisQueues).map((name) => ({ name, ...takenOver, deadLetter: lostQueue })),
  { name: simulationQueue, ...takenOver },
  { name: rejudgeQueue, ...takenOver },
  { name: verificationQueue, ...takenOver },
  { name: housekeepingQueue, policy: "singleton", retryLimit: 0, expireInSeconds: 3600 },
];
