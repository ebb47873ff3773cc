import type { App } from "../app.ts";
import type { Claimed } from "../webhooks/delivering/claim-deliveries.ts";
import type { Attempt, Message } from "../webhooks/sending/sender.ts";
import { newSpanId, newTrace, rootOfSubmission, writeTraceparent } from "../telemetry/trace-context.ts";

/** An attempt as a span in the trace of the event's submission; the receiver can go on with it (`traceparent`). */
export function traceDelivery(
  { telemetry }: App,
  { deliveryId, workspaceId, attempt: number, message }: Claimed,
): { message: Message; end(attempt: Attempt): void } | undefined {
  if (!telemetry) return undefined;
  const { type, data } = JSON.parse(message.body) as { type?: string; data?: { submission_id?: unknown } };
  const submissionId = data?.submission_id;
  const root = typeof submissionId === "string" ? rootOfSubmission(submissionId) : undefined;
  const own = root ? { traceId: root.traceId, spanId: newSpanId() } : newTrace();
  const startMs = Date.now();
  return {
    message: { ...message, headers: { ...message.headers, traceparent: writeTraceparent(own) } },
    end: ({ isSuccess, statusCode, error }) =>
      telemetry.add({
        ...own,
        parentSpanId: root?.spanId,
        name: "webhook",
        kind: "client",
        startMs,
        endMs: Date.now(),
        attributes: {
          "greenlit.workspace_id": workspaceId,
          "greenlit.delivery_id": deliveryId,
          "greenlit.event_type": type,
          "greenlit.attempt": number + 1,
          "http.response.status_code": statusCode ?? undefined,
        },
        error: isSuccess ? undefined : (error ?? "failed"),
      }),
  };
}
