import type { FastifyReply } from "fastify";
import { Failure } from "../failure.ts";

/** The one place that turns a failure into an answer. */
export function answerFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  const { retryAfterSeconds, allow } = failure.options;
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  if (allow !== undefined) void reply.header("allow", allow);
  return reply
    .code(failure.status)
    .header("content-type", "application/json; charset=utf-8")
    .send(failureBody(failure));
}

export function failureBody({ code, message, options }: Failure): string {
  if (code === "rate_limited") return JSON.stringify({ error: message });
  return JSON.stringify({ error_code: code, message, bucket: options.bucket, details: options.details });
}

/** What the framework found wrong with a request, in our words; undefined when the error is not the caller's. */
export function failureOfFramework(error: {
  code?: string;
  statusCode?: number;
  message?: string;
}): Failure | undefined {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Failure(
        "body_too_large",
        "The request body is larger than 4,194,304 bytes (4 MiB). Media goes through an upload, not into JSON.",
      );
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return invalidHttp("Content-Length", "The request body is not as long as its Content-Length says.");
    case "FST_ERR_BAD_URL":
      return invalidHttp("", "The request path is not valid percent-encoding.");
    case "ECONNRESET":
    case "ERR_STREAM_PREMATURE_CLOSE":
      return invalidHttp("", "The connection ended before the whole request had arrived.");
    default:
      return error.code?.startsWith("FST_ERR_") && (error.statusCode ?? 500) < 500
        ? invalidHttp("", "The request is not one that this endpoint can read.")
        : undefined;
  }
}

function invalidHttp(path: string, message: string): Failure {
  return new Failure("invalid_request", message, { details: [{ path, message }] });
}
