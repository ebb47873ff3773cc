import { createHash, randomBytes } from "node:crypto";

/** Where a span belongs. */
export type TraceContext = { traceId: string; spanId: string };

/**
 * The request that created a submission: the root of its trace. A submission's id is the id of its trace, so that
 * request, queue, worker and deliverer need nothing from each other to be in the same one.
 */
export function rootOfSubmission(submissionId: string): TraceContext {
  return {
    traceId: submissionId.replaceAll("-", "").toLowerCase(),
    spanId: createHash("sha256").update(submissionId.toLowerCase()).digest("hex").slice(0, 16),
  };
}

export function newTrace(): TraceContext {
  return { traceId: randomBytes(16).toString("hex"), spanId: newSpanId() };
}

export function newSpanId(): string {
  return randomBytes(8).toString("hex");
}

/** What a caller sends as `traceparent` (W3C Trace Context); undefined when it is missing or wrong. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== "string") return undefined;
  const [, traceId = "", spanId = ""] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(header) ?? [];
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : undefined;
}

export function writeTraceparent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`;
}
