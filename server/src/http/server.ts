import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RequestPayload } from "fastify";
import type { App } from "../app.ts";
import { databaseUnavailable } from "../db/database.ts";
import { parentGone } from "../db/parent-gone.ts";
import { Failure, type FailureCode } from "../failure.ts";
import { isOutOfFiles, outOfFilesLine } from "../open-files.ts";
import { storeFailure } from "../storage/store-failure.ts";
import type { Session } from "../people/sessions.ts";
import type { Caller } from "../workspaces/caller.ts";
import { answerClientError, watchAnswers } from "./client-error.ts";
import { allowCors } from "./cors.ts";
import { answerFailure, failureOfFramework } from "./error-answer.ts";
import { passGates } from "./gates.ts";
import { letBodyCome, takeOverProtocol } from "./http-protocol.ts";
import { handleOrReplay } from "./idempotent-route.ts";
import { closeIdleConnections } from "./close-idle-connections.ts";
import { parseJsonBody } from "./json-body.ts";
import { logRequest } from "./log-request.ts";
import { servePages } from "./pages.ts";
import { prefix, type Route } from "./route.ts";
import { allRoutes } from "./routes.ts";
import { compileSerializer } from "./serialize.ts";
import { compileValidator } from "./validate.ts";
import { zipForPeople } from "./zip-for-people.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    bodyType?: "application/json" | "multipart/form-data";
    nulCheckedIn?: readonly string[];
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    session: Session | undefined;
    logFields: (() => Record<string, string | number>) | undefined;
  }
}

const bodyLimitBytes = 4 * 1024 * 1024;
const usualBodyTimeoutMs = 20_000;

/** The API as a server that is not listening yet. */
export function createServer(
  app: App,
  options: {
    table?: readonly Route[];
    /** Tests do not wait 20 seconds. */
    bodyTimeoutMs?: number;
  } = {},
): FastifyInstance {
  const { table = allRoutes, bodyTimeoutMs = usualBodyTimeoutMs } = options;
  const server = Fastify({
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    // Fastify sets no time limits of its own: slow connections would stay as long as they like.
    requestTimeout: 300_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: (request) => (request.url ?? "/").replace(/^\/api\/v1\/integrations(?=[/?]|$)/, prefix),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, app.log),
    frameworkErrors: (error, request, reply) => {
      begin(app, request, reply);
      void answerError(app, { error, request, reply });
    },
  });

  server.decorateRequest("caller", undefined);
  server.decorateRequest("session", undefined);
  server.decorateRequest("logFields", undefined);
  server.setValidatorCompiler(compileValidator);
  server.setSerializerCompiler(compileSerializer);
  server.setErrorHandler((error, request, reply) => answerError(app, { error, request, reply }));
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => parseJsonBody(body, request.routeOptions.config.nulCheckedIn),
  );
  server.addContentTypeParser("*", async (request: FastifyRequest) => {
    if (!isEmpty(request)) throw wrongContentType(request);
  });

  server.addHook("onRequest", async (request, reply) => begin(app, request, reply));
  watchAnswers(server.server);
  takeOverProtocol(server);
  if (app.config.corsOrigins.length > 0) allowCors(server, app.config.corsOrigins);
  server.addHook("onRequest", async (request) => {
    if (request.is404) throw unknownPath(server, request);
  });
  const closing = closeIdleConnections(server.server);
  server.addHook("preClose", async () => {
    app.realtime.hub.close();
    closing.begin();
  });

  servePages(server, app, table);
  for (const route of table.filter(({ bodyType }) => bodyType !== "multipart/form-data"))
    addRoute(server, { app, route, bodyTimeoutMs });
  void server.register(async (scope) => {
    // These handlers read the stream themselves, after the gates.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", async () => undefined);
    for (const route of table.filter(({ bodyType }) => bodyType === "multipart/form-data"))
      addRoute(scope, { app, route, bodyTimeoutMs });
  });
  server.setNotFoundHandler((request, reply) => answerFailure(reply, unknownPath(server, request)));
  return server;
}

function addRoute(
  server: FastifyInstance,
  { app, route, bodyTimeoutMs }: { app: App; route: Route; bodyTimeoutMs: number },
): void {
  const isMultipart = route.bodyType === "multipart/form-data";
  server.route({
    method: route.method,
    url: prefix + route.path,
    schema: {
      ...(route.params && { params: route.params }),
      querystring: route.query ?? { type: "object", additionalProperties: false },
      ...(route.body && !isMultipart && { body: route.body }),
      response: Object.fromEntries(
        Object.entries(route.responses).flatMap(([status, { schema }]) => (schema ? [[status, schema]] : [])),
      ),
    },
    onRequest: (request, reply) => passGates(app, { route, request, reply }),
    // Nobody reads the body of a GET, so it never ends: its stream would be cut off when the time is up.
    preParsing: async (request, reply, payload) => {
      letBodyCome(route, request, reply);
      return isMultipart || route.method === "GET" ? payload : limitTime(payload, { reply, bodyTimeoutMs });
    },
    onSend: zipForPeople,
    config: { bodyType: route.bodyType ?? "application/json", nulCheckedIn: route.nulCheckedIn ?? [] },
    handler: async (request, reply) => {
      const answer = await handleOrReplay(app, { route, request });
      request.logFields = answer.logFields;
      void reply.code(answer.status).headers(answer.headers ?? {});
      if (!answer.stream) return reply.send(answer.body);
      if (!answer.headers?.["content-type"])
        void reply.type(route.responses[answer.status]?.contentType ?? "application/octet-stream");
      return reply.send(request.method === "HEAD" ? emptied(answer.stream) : answer.stream);
    },
  });
}

/** HEAD wants the headers only, and a stream that nobody reads would stay open. */
function emptied(stream: Readable): Readable {
  stream.destroy();
  return Readable.from([]);
}

/** What every answer has; pages and files say something else where they must. */
const safeHeaders = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

function begin(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const startedAt = performance.now();
  // Fastify's onResponse does not run when the client leaves before the end, as those of streams do.
  reply.raw.once("close", () => logRequest(app, { request, reply, durationMs: performance.now() - startedAt }));
  void reply.headers({ "x-request-id": request.id, ...safeHeaders });
}

function limitTime(
  payload: RequestPayload,
  { reply, bodyTimeoutMs }: { reply: FastifyReply; bodyTimeoutMs: number },
): RequestPayload {
  const timer = setTimeout(() => {
    const seconds = bodyTimeoutMs / 1000;
    const failure = new Failure("request_timeout", `The request body did not arrive in ${seconds} s. Send it again.`);
    // To destroy it takes the socket away and the answer with it, so that is for a body that is only thrown away now.
    if (reply.sent) payload.destroy?.(failure);
    // Nobody reads it when there is none and the handler is at work; an error would then end the process.
    else if (payload.listenerCount("data") > 0) payload.emit("error", failure);
  }, bodyTimeoutMs);
  timer.unref();
  payload.once("end", () => clearTimeout(timer));
  payload.once("close", () => clearTimeout(timer));
  return payload;
}

/** Many clients name a content type, a form's mostly, also when they send no body. */
function isEmpty({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

function wrongContentType(request: FastifyRequest): Failure {
  const got = request.headers["content-type"];
  const wanted = request.routeOptions.config.bodyType ?? "application/json";
  const what = wanted === "application/json" ? "JSON" : "a form with one file";
  return new Failure(
    "invalid_request",
    `The request's Content-Type is ${got ? "not accepted by this endpoint" : "missing"}. Send ${what} with Content-Type: ${wanted}.`,
    { details: [{ path: "Content-Type", message: `must be ${wanted}` }] },
  );
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A path that exists with other methods is 405, any other 404. */
function unknownPath(server: FastifyInstance, request: FastifyRequest): Failure {
  const path = request.url.split("?")[0] ?? "/";
  const allow = methods.filter((method) => server.findRoute({ method, url: path }) !== null);
  if (allow.length === 0)
    return new Failure("not_found", `There is no ${path.slice(0, 200)} here. The API is described at /docs.`);
  return new Failure("method_not_allowed", `${request.method} is not allowed here; allowed: ${allow.join(", ")}.`, {
    allow: allow.join(", "),
  });
}

/** What was refused before a route had a say: nobody knows what the next bytes of the connection are. */
const endsConnection = new Set<FailureCode>(["malformed_http", "expectation_failed", "request_timeout"]);

function failureOfRequest(error: unknown, request: FastifyRequest): Failure | undefined {
  const { code } = error as { code?: string };
  return code === "FST_ERR_CTP_INVALID_MEDIA_TYPE" ? wrongContentType(request) : failureOfFramework(error as Error);
}

function answerError(
  app: App,
  { error, request, reply }: { error: unknown; request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const known =
    error instanceof Failure
      ? error
      : (databaseUnavailable(error) ?? storeFailure(error) ?? parentGone(error) ?? failureOfRequest(error, request));
  // Fastify hangs up on a body that it refuses, also when all of it has arrived.
  if (known && endsConnection.has(known.code)) void reply.header("connection", "close");
  else void reply.removeHeader("connection");
  if (known && known.status < 500) return answerFailure(reply, known);
  const { caller, routeOptions } = request;
  const errorCode = known?.code ?? "internal_error";
  const fields = { requestId: request.id, route: routeOptions.url, workspaceId: caller?.workspaceId, errorCode };
  app.log.error({ ...fields, err: error }, isOutOfFiles(error) ? outOfFilesLine() : "request failed");
  return answerFailure(
    reply,
    known ??
      new Failure(
        "internal_error",
        `Something went wrong on our side. Try again; if it keeps happening, give your operator the request id ${request.id}.`,
      ),
  );
}
