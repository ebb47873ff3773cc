import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { traceRequest } from "./trace-request.ts";

/** One line a request. The route is its pattern: a path may hold ids, and a body or filename has no place in a log. */
export function logRequest(
  app: App,
  { request, reply, durationMs }: { request: FastifyRequest; reply: FastifyReply; durationMs: number },
): void {
  const route = request.routeOptions.url ?? "unknown";
  app.metrics?.observeRequest({
    method: request.method,
    route,
    status: reply.statusCode,
    durationSeconds: durationMs / 1000,
  });
  if (app.telemetry) traceRequest(app.telemetry, { request, status: reply.statusCode, route, durationMs });
  if (reply.statusCode < 400 && app.config.logSample < 1 && Math.random() >= app.config.logSample) return;
  app.log.info(
    {
      requestId: request.id,
      ...(request.caller && { [request.caller.actor.kind === "key" ? "keyId" : "personId"]: request.caller.actor.id }),
      workspaceId: request.caller?.workspaceId,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(!reply.raw.writableFinished && { isAborted: true }),
      ...request.logFields?.(),
    },
    "request",
  );
}
