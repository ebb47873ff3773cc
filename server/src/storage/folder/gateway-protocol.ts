import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { errorXml, ProtocolError } from "./azure-protocol.ts";

/** What Node would refuse by itself, without a body and a request id. */
export function checkProtocol({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1")
    throw new ProtocolError(400, "InvalidHeaderValue", "HTTP/1.1 needs a Host header.", {
      connection: "close",
    });
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue")
    throw new ProtocolError(
      417,
      "InvalidHeaderValue",
      "Expect can only be 100-continue. Send the request without it.",
      {
        connection: "close",
      },
    );
}

const known: Record<string, [status: number, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, "RequestHeadersTooLarge", "The request's headers are larger than 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "OperationTimedOut", "The request's headers did not arrive in 10 s. Send it again."],
};

/** Answers bytes that are not an HTTP request; there is no response object yet, so the answer is written by hand. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex & { bytesWritten?: number }): void {
  // An answer may be under way, and these bytes would land in the middle of it.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten !== 0) {
    socket.destroy();
    return;
  }
  const [status, code, message] = known[error.code ?? ""] ?? [400, "InvalidInput", "The request is not valid HTTP."];
  const body = errorXml(code, message);
  const requestId = randomUUID();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/xml",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `x-ms-error-code: ${code}`,
      `x-ms-request-id: ${requestId}`,
      `x-request-id: ${requestId}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
