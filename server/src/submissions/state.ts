import { errorTypes, type ErrorType, type Status } from "../db/tables.ts";

/** The state machine of assets and submissions, and nothing else. */

export type AssetEvent = "start" | "complete" | "fail" | "retry";

const transitions: Record<Status, Partial<Record<AssetEvent, Status>>> = {
  // An asset may fail before it started, when every worker that took it died.
  submitted: { start: "processing", fail: "failed" },
  // Another worker starts it again when the first one died.
  processing: { start: "processing", complete: "complete", fail: "failed" },
  complete: {},
  failed: { retry: "submitted" },
};

/** The next status, or undefined when the event is not allowed now. */
export function nextStatus(status: Status, event: AssetEvent): Status | undefined {
  return transitions[status][event];
}

export function isTerminal(status: Status): boolean {
  return status === "complete" || status === "failed";
}

/** Terminal only when every asset is: a poller that stops there misses nothing. */
export function submissionStatus(assets: readonly Status[]): Status {
  if (assets.every((status) => status === "submitted")) return "submitted";
  if (!assets.every(isTerminal)) return "processing";
  return assets.includes("failed") ? "failed" : "complete";
}

/** 100 exactly when all is complete; at most 99 before that, and when something failed. */
export function submissionProgress(assets: readonly { status: Status; progressPercent: number }[]): number {
  if (assets.every(({ status }) => status === "complete")) return 100;
  const done = assets.map(({ status, progressPercent }) => (isTerminal(status) ? 100 : progressPercent));
  return Math.min(99, Math.floor(done.reduce((sum, part) => sum + part, 0) / assets.length));
}

export const maxRetries = 3;

/** Whether a failed asset may be retried now. Failures for want of credits never use up the limit. */
export function mayRetry(asset: { status: Status; errorType: ErrorType | null; countedRetries: number }): boolean {
  return refusalOfRetry(asset) === undefined;
}

export type RetryRefusal = "asset_not_failed" | "error_not_retryable" | "retry_limit_reached" | "retry_in_flight";

export function refusalOfRetry(asset: {
  status: Status;
  errorType: ErrorType | null;
  countedRetries: number;
  retryCount?: number;
}): RetryRefusal | undefined {
  if (asset.status !== "failed")
    return !isTerminal(asset.status) && (asset.retryCount ?? 0) > 0 ? "retry_in_flight" : "asset_not_failed";
  if (asset.errorType === null || !errorTypes[asset.errorType].isRetryable) return "error_not_retryable";
  if (asset.errorType !== "insufficient_credits" && asset.countedRetries >= maxRetries) return "retry_limit_reached";
  return undefined;
}
