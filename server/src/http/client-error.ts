import { randomUUID } from "node:crypto";
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { Failure, type FailureCode } from "../failure.ts";
import { failureBody } from "./error-answer.ts";

const known: Record<string, [FailureCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    "headers_too_large",
    "The request's headers are larger than 16 KiB, which is the maximum. Send fewer or shorter ones.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "request_timeout",
    "The request did not arrive in time: its headers have 5 s, all of it 300 s. Send it again.",
  ],
};

const answers = new WeakMap<Socket, ServerResponse>();

/** Remembers the answer under way on each connection: one written by hand must not land in the middle of it. */
export function watchAnswers(server: Server): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => answers.set(request.socket, response));
}

/** Answers bytes that are not an HTTP request. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, log: Logger): void {
  const answer = answers.get(socket);
  if (error.code === "ECONNRESET" || !socket.writable || (answer?.headersSent && !answer.writableFinished)) {
    socket.destroy();
    return;
  }
  const [code, message] = known[error.code ?? ""] ?? ["malformed_http", "The request is not valid HTTP."];
  const failure = new Failure(code, message);
  const requestId = answerByHand(socket, failure);
  log.info({ requestId, status: failure.status, reason: error.code, address: socket.remoteAddress }, "not a request");
}

/** There is no request and no reply yet, so the answer is written by hand. */
export function answerByHand(socket: Socket, failure: Failure): string {
  const requestId = randomUUID();
  const body = failureBody(failure);
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "X-Content-Type-Options: nosniff",
      "Cache-Control: no-store",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  return requestId;
}
