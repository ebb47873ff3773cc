import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Failure, type FailureCode } from "../failure.ts";
import { failureBody } from "./error-answer.ts";

const known: Record<string, [FailureCode, string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The request's headers are larger than 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time. Send it again."],
};

/** Answers bytes that are no HTTP request; there is no request object yet, so the answer is written by hand. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [code, message] = known[error.code ?? ""] ?? ["malformed_http", "The request is not valid HTTP."];
  const failure = new Failure(code, message);
  const body = failureBody(failure);
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
