import { ApiError, TimeoutError } from "./errors.ts";
import type { Submission } from "./generated.ts";
import { follow, isTerminal, type RealtimeMessage } from "./realtime.ts";
import { isTransient, pause } from "./retry.ts";
import type { Transport } from "./transport.ts";

export type WaitOptions = {
  signal?: AbortSignal;
  /** Gives up with a TimeoutError. Left out: waits as long as it takes. */
  timeoutMs?: number;
  /** Progress and findings as they happen. Without a stream: the whole status at each poll. */
  onMessage?: (message: RealtimeMessage) => void;
  /** `false` polls, for networks that hold streams back. */
  stream?: boolean;
};

const firstPollMs = 1000;
const maxPollMs = 10_000;
/** A service that stays away for this long will not finish anything. */
const maxFailedPolls = 20;

/** Waits for `complete` or `failed` and gives the final status. Failed assets do not throw: look at `status`. */
export async function waitUntilDone(
  transport: Transport,
  submissionId: string,
  options: WaitOptions = {},
): Promise<Submission> {
  const { timeoutMs } = options;
  const stop = new AbortController();
  const abort = () => stop.abort(options.signal?.reason);
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener("abort", abort, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => stop.abort(new TimeoutError(`The submission is not done after ${timeoutMs / 1000} s.`)),
          timeoutMs,
        );
  try {
    return await wait(transport, submissionId, { ...options, signal: stop.signal });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
}

async function wait(
  transport: Transport,
  submissionId: string,
  { signal, onMessage, stream = true }: WaitOptions & { signal: AbortSignal },
): Promise<Submission> {
  if (stream) {
    try {
      for await (const message of follow(transport, `private-submission-${submissionId}`, { signal }))
        onMessage?.(message);
    } catch (error) {
      signal.throwIfAborted();
      // Only what polling would meet too.
      if (error instanceof ApiError && [401, 402, 404].includes(error.status)) throw error;
    }
  }
  for (let delayMs = firstPollMs, failed = 0; ; delayMs = Math.min(maxPollMs, delayMs * 1.5)) {
    try {
      const submission = await transport.call("readSubmission", { params: { submission_id: submissionId }, signal });
      failed = 0;
      if (isTerminal(submission.status)) return submission;
      onMessage?.({
        event: "submission.status",
        channel: `private-submission-${submissionId}`,
        timestamp: new Date().toISOString(),
        data: submission,
      });
    } catch (error) {
      failed += 1;
      if (!isTransient(error) || failed > maxFailedPolls) throw error;
    }
    await pause(delayMs, signal);
  }
}
