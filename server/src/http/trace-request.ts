import type { FastifyRequest } from "fastify";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { newSpanId, newTrace, parseTraceparent, rootOfSubmission } from "../telemetry/trace-context.ts";

/**
 * A request as a span: in the trace of the submission that it created or runs again, else in the caller's. A submission
 * has a trace of its own, because it goes on long after the caller's has ended; a link leads back.
 */
export function traceRequest(
  telemetry: Telemetry,
  options: { request: FastifyRequest; route: string; status: number; durationMs: number },
): void {
  const { request, route, status, durationMs } = options;
  // Probes would be most of what there is.
  if (route === "/healthz" || route === "/readyz") return;
  const caller = parseTraceparent(request.headers["traceparent"]);
  const submissionId = request.logFields?.()["submissionId"];
  const root = typeof submissionId === "string" ? rootOfSubmission(submissionId) : undefined;
  const isCreation = root !== undefined && status === 201;
  const own = caller ? { traceId: caller.traceId, spanId: newSpanId() } : newTrace();
  const endMs = Date.now();
  telemetry.add({
    ...(isCreation ? root : root ? { traceId: root.traceId, spanId: newSpanId() } : own),
    parentSpanId: isCreation ? undefined : (root ?? caller)?.spanId,
    link: root && caller,
    name: `${request.method} ${route}`,
    kind: "server",
    startMs: endMs - durationMs,
    endMs,
    attributes: {
      "http.request.method": request.method,
      "http.route": route,
      "http.response.status_code": status,
      "greenlit.request_id": request.id,
      "greenlit.workspace_id": request.caller?.workspaceId,
      "greenlit.submission_id": typeof submissionId === "string" ? submissionId : undefined,
    },
    error: status >= 500 ? String(status) : undefined,
  });
}
