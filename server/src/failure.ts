/** Every expected failure, by code, with its HTTP status. The codes are an enum of the OpenAPI document. */
export const failures = {
  simulation_delay_needs_sandbox_key: 400,
  malformed_http: 400,
  unauthenticated: 401,
  sign_in_failed: 401,
  tier_not_authorized_for_integrations_api: 402,
  invalid_filename: 403,
  invalid_blob_path: 403,
  sandbox_key_required: 403,
  mode_mismatch: 403,
  role_required: 403,
  person_required: 403,
  cross_site_request: 403,
  passwords_off: 403,
  market_not_allowed: 403,
  not_found: 404,
  asset_not_finished: 404,
  asset_failed: 404,
  frame_not_found: 404,
  evidence_not_kept: 404,
  rendition_not_ready: 404,
  no_rendition: 404,
  link_not_valid: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  asset_not_failed: 409,
  error_not_retryable: 409,
  retry_limit_reached: 409,
  retry_in_flight: 409,
  idempotency_in_progress: 409,
  person_exists: 409,
  last_admin: 409,
  review_claimed: 409,
  review_state_not_allowed: 409,
  open_critical_issues: 409,
  own_upload: 409,
  asset_not_approved: 409,
  file_too_large: 413,
  body_too_large: 413,
  content_type_not_allowed: 415,
  content_does_not_match_type: 415,
  subscription_limit_reached: 409,
  subscription_inactive: 409,
  expectation_failed: 417,
  invalid_request: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  insufficient_storage: 507,
} as const;

export type FailureCode = keyof typeof failures;

export type FailureDetail = { path: string; message: string };

type FailureOptions = {
  cause?: unknown;
  /** 422: what is wrong where. */
  details?: FailureDetail[];
  /** 402: the bucket that the plan leaves out. */
  bucket?: string;
  /** 429. */
  retryAfterSeconds?: number;
  /** 405: the methods that the path has. */
  allow?: string;
};

/** An expected failure: the message is public and says what happened, why, and what to do. */
export class Failure extends Error {
  override name = "Failure";
  readonly code: FailureCode;
  readonly options: FailureOptions;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return failures[this.code];
  }
}

/** What an operator asked for cannot be done; the message says why and what to do, and the command line exits with 1. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
