import type { ErrorBody } from "./generated.ts";

export type ErrorCode = ErrorBody["error_code"] | "rate_limited";

/** Anything this package throws on purpose. */
export class GreenlitError extends Error {
  override name = "GreenlitError";
}

/** No answer came: the service is unreachable, or the connection broke. */
export class ConnectionError extends GreenlitError {
  override name = "ConnectionError";
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

export type Refusal = {
  status: number;
  code: ErrorCode | null;
  message: string;
  /** Tell it to your operator: the log has it. */
  requestId: string | null;
  details: { path: string; message: string }[];
  retryAfterSeconds: number | null;
};

/** The service answered with an error. */
export class ApiError extends GreenlitError {
  override name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly requestId: string | null;
  /** What is wrong with which field, on 422. */
  readonly details: { path: string; message: string }[];
  /** How long to wait, on 429. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, code, message, requestId, details, retryAfterSeconds }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 401: the key is missing or invalid. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}
/** 402: the plan does not include it. A retry does not help. */
export class PlanError extends ApiError {
  override name = "PlanError";
}
/** 403: this name, path or kind of key is not allowed. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}
/** 404: not in this workspace, or not finished. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
/** 409: the state of the resource does not allow it; `code` says why. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}
/** 413: too large. */
export class TooLargeError extends ApiError {
  override name = "TooLargeError";
}
/** 415: the content type is not allowed, or the bytes are something else. */
export class UnsupportedTypeError extends ApiError {
  override name = "UnsupportedTypeError";
}
/** 400 and 422: the request is not valid; `details` says where. */
export class ValidationError extends ApiError {
  override name = "ValidationError";
}
/** 429, after all retries. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}
/** 5xx, after all retries. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

/** The object store refused the bytes. */
export class UploadError extends GreenlitError {
  override name = "UploadError";
  readonly status: number;
  /** The store's own code, like `AuthenticationFailed`. */
  readonly code: string | null;

  constructor({ status, code, message }: { status: number; code: string | null; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A webhook that must not be believed. */
export class WebhookVerificationError extends GreenlitError {
  override name = "WebhookVerificationError";
}

const kinds: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  402: PlanError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  415: UnsupportedTypeError,
  422: ValidationError,
  429: RateLimitError,
};

/** The error that an answer means. A proxy's page instead of our JSON is still an error of its status. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => "");
  const body = parse(text);
  const wait = Number(headers.get("retry-after") ?? Number.NaN);
  const Kind = kinds[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind({
    status,
    code: body.error_code ?? (status === 429 ? "rate_limited" : null),
    message: body.message ?? body.error ?? `The service answered ${status}. ${text.slice(0, 200)}`.trim(),
    requestId: headers.get("x-request-id"),
    details: body.details ?? [],
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
  });
}

type ErrorFields = { error_code?: ErrorCode; message?: string; error?: string; details?: ApiError["details"] };

function parse(text: string): ErrorFields {
  try {
    return (JSON.parse(text) ?? {}) as ErrorFields;
  } catch {
    return {};
  }
}
