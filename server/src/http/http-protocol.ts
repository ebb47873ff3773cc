import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../failure.ts";
import { closeIfUnread } from "../lingering-close.ts";
import { answerByHand } from "./client-error.ts";
import type { Route } from "./route.ts";

const waiting = new WeakSet<IncomingMessage>();
const unexpected = new WeakSet<IncomingMessage>();

/** Takes over what Node would answer by itself, without a body and a request id. Node must not check `Host` either. */
export function takeOverProtocol(server: FastifyInstance): void {
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    server.server.emit("request", request, response);
  server.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    handle(request, response);
  });
  server.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    unexpected.add(request);
    handle(request, response);
  });
  server.server.on("connect", (_request: IncomingMessage, socket: Socket) =>
    answerByHand(socket, new Failure("method_not_allowed", "CONNECT is not allowed: this is an API, not a proxy.")),
  );
  server.addHook("onRequest", async ({ raw }) => {
    if (unexpected.has(raw))
      throw new Failure("expectation_failed", "The Expect header is not 100-continue. Send the request without it.");
    const hosts = countHosts(raw);
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === "1.1"))
      throw new Failure("malformed_http", `HTTP/1.1 needs exactly one Host header; the request has ${hosts}.`);
  });
  server.addHook("onSend", async (request, reply, payload) => {
    await closeIfUnread(request.raw, reply.raw);
    return payload;
  });
}

/** Lets a caller that waits for `100 Continue` send its body, unless its content type alone gets it refused. */
export function letBodyCome(route: Route, request: FastifyRequest, reply: FastifyReply): void {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  const isRightType = type.trim().toLowerCase() === (route.bodyType ?? "application/json");
  if (isRightType && waiting.delete(request.raw)) reply.raw.writeContinue();
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
