import { ApiError, ConnectionError, GreenlitError } from "./errors.ts";
import type { AssetStatus, CompactIssue, Submission } from "./generated.ts";
import { backoffMs, isTransient, pause } from "./retry.ts";
import { readServerSentEvents } from "./server-sent-events.ts";
import type { Transport } from "./transport.ts";

type Message<Event extends string, Data> = { event: Event; channel: string; timestamp: string; data: Data };
type AssetFacts = {
  submissionId: string;
  assetId: string;
  workspaceId: string;
  filename: string;
  versionGroupId: string;
  versionNumber: number;
  metadata: Record<string, unknown> | null;
  livemode: boolean;
};

/** What comes over a channel. */
export type RealtimeMessage =
  /** The first message of a submission's channel carries the whole status, later ones what changed. */
  | Message<"submission.status", Partial<Submission> & { submissionId: string; status: Submission["status"] }>
  | Message<"asset.progress", { submissionId: string; assetId: string; progressPercent: number }>
  | Message<"asset.issue", { submissionId: string; assetId: string; issue: CompactIssue }>
  /** The analysis starts over: forget the findings so far. */
  | Message<"asset.restarted", { submissionId: string; assetId: string }>
  | Message<"asset.completed", AssetFacts & { status: "complete"; issueCount: number | null }>
  | Message<
      "asset.failed",
      AssetFacts & {
        status: "failed";
        errorMessage: string;
        errorType: AssetStatus["errorType"];
        isRetryable: boolean;
        retryCount: number;
      }
    >;

export type FollowOptions = {
  signal?: AbortSignal;
  /** Go on after this message; `0` gives everything that is kept. */
  lastEventId?: string;
};

/** The service comments every 15 s. */
const idleMs = 45_000;

export function isTerminal(status: string): boolean {
  return status === "complete" || status === "failed";
}

/**
 * Follows a channel over server-sent events and connects again without a hole. A submission's channel ends after its
 * terminal status; a workspace's does not end. Throws when there is no stream.
 */
export async function* follow(
  transport: Transport,
  channel: string,
  { signal, lastEventId = "" }: FollowOptions = {},
): AsyncGenerator<RealtimeMessage> {
  let id = lastEventId;
  for (let failures = 0; ;) {
    try {
      const response = await transport.open("openChannel", {
        params: { channel },
        headers: { accept: "text/event-stream", ...(id !== "" && { "last-event-id": id }) },
        ...(signal && { signal }),
      });
      if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream"))
        throw new GreenlitError("The service's answer is not a stream of events.");
      for await (const event of readServerSentEvents(response.body, { idleMs, signal })) {
        if (event.id !== null) id = event.id;
        if (event.data === "") continue;
        failures = 0;
        const message = JSON.parse(event.data) as RealtimeMessage;
        yield message;
        if (isTheEnd(message)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof GreenlitError && !(error instanceof ConnectionError) && !isTransient(error)) throw error;
      if (error instanceof ApiError || failures >= transport.maxRetries) throw error;
    }
    failures += 1;
    if (failures > transport.maxRetries) throw new ConnectionError("The stream ends again and again before its end.");
    await pause(backoffMs(failures), signal);
  }
}

function isTheEnd({ event, channel, data }: RealtimeMessage): boolean {
  return event === "submission.status" && channel.startsWith("private-submission-") && isTerminal(data.status);
}
