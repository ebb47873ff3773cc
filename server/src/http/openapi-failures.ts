import { notFoundMessages } from "../not-found.ts";
import { failures, type FailureCode, type FailureDetail } from "../failure.ts";
import type { Route } from "./route.ts";

type Json = { [key: string]: unknown };

const statusTexts: Record<number, string> = {
  400: "A sandbox-only parameter was sent with a live key.",
  401: "The API key is missing or invalid.",
  402: "The plan does not include the service. Retrying does not succeed.",
  403: "The name, the path, the kind of key or the role is not allowed.",
  404: "Not found in the workspace of the key.",
  408: "The request body did not arrive in time.",
  409: "The state of the resource does not allow it.",
  413: "Too large.",
  415: "The content type is not allowed or does not match the bytes.",
  422: "The request is not valid; `details` says where.",
  429: "Rate limit exceeded. `Retry-After` says how many seconds to wait.",
  500: "The service failed. May be retried with backoff.",
  507: "The store has no space left, or the workspace's uploads that no submission took are over their quota.",
  503: "The service is out of reach of its database or has no capacity left. May be retried with backoff.",
};

/** The error responses of a route, by status, with an example of each code. */
export function describeFailures(route: Route, codes: readonly FailureCode[]): Json {
  const byStatus = Map.groupBy(new Set(codes), (code) => failures[code]);
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, describeStatus(route, status, group)]));
}

function describeStatus(route: Route, status: number, codes: readonly FailureCode[]): Json {
  const named = status === 429 ? "" : ` \`error_code\`: ${codes.map((code) => `\`${code}\``).join(", ")}.`;
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(route, code) }]));
  return {
    description: `${statusTexts[status] ?? ""}${named}`.trim(),
    headers: {
      "X-Request-Id": requestIdHeader,
      ...(status === 429 && {
        "Retry-After": { description: "Seconds to wait, at least 1.", schema: { type: "integer", minimum: 1 } },
      }),
    },
    content: {
      "application/json": { schema: { $ref: `#/components/schemas/${errorSchemaName(status)}` }, examples },
    },
  };
}

function exampleOf(route: Route, code: FailureCode): Json {
  const { bucket } = route;
  if (code === "rate_limited")
    return { error: `Rate limit exceeded: 30 ${bucket} requests a minute. Try again in 12 s.` };
  if (code === "tier_not_authorized_for_integrations_api")
    return { error_code: code, message: planMessage(bucket), bucket };
  if (code === "not_found") return { error_code: code, message: notFoundMessage(route) };
  if (code === "idempotency_key_reused") {
    const details = [{ path: "Idempotency-Key", message: "was used for another request" }];
    return { error_code: code, message: messages[code], details };
  }
  if (code === "invalid_request") {
    const { where, ...detail } = invalidPart(route);
    const message = `The request ${where} is not valid: ${detail.path} ${detail.message}. See details for all of it.`;
    return { error_code: code, message, details: [detail] };
  }
  return { error_code: code, message: messages[code] };
}

function planMessage(bucket: string): string {
  return `The plan "free" does not include ${bucket} requests. Retrying does not help; ask your operator for another plan.`;
}

/** The innermost thing that the path or the body names. */
function notFoundMessage({ path, operationId }: Route): string {
  if (operationId === "createSubmission")
    return "assets.0: The previousSubmissionId names no submission of this workspace.";
  if (/realtime/.test(path)) return notFoundMessages.channel;
  const named = [...path.matchAll(/:([a-z]+)_id/g)].map(([, thing = ""]) => thing);
  const innermost = named.findLast((thing) => thing in notFoundMessages) ?? "submission";
  return notFoundMessages[innermost as keyof typeof notFoundMessages];
}

/** Something that may be wrong with this very request. */
function invalidPart({ params, query, body, bodyType }: Route): FailureDetail & { where: string } {
  if (bodyType === "multipart/form-data") return { where: "body", path: "file", message: "is missing" };
  const [needed] = requiredOf(body);
  if (needed !== undefined) return { where: "body", path: needed, message: "is required" };
  const [id] = requiredOf(params);
  if (id !== undefined) return { where: "path", path: id, message: 'must match format "uuid"' };
  if (query === undefined) return { where: "query", path: "x", message: "is not a known property" };
  return { where: "query", path: "limit", message: "must be >= 1" };
}

function requiredOf(schema: { required?: readonly string[] } | undefined): readonly string[] {
  return schema?.required ?? [];
}

/** What the service says, one message for each code: a reader of an example must find the one that it will meet. */
const messages: Record<FailureCode, string> = {
  expectation_failed: "The Expect header names something other than 100-continue. Send the request without it.",
  person_exists: "There is somebody with this e-mail address already. Sign in instead.",
  last_admin: "This is the last admin of the workspace. Make somebody else an admin first.",
  review_claimed: "Somebody else is reviewing this asset. Ask them to release it.",
  review_state_not_allowed: "The review is not in a state that allows this. Read it again.",
  open_critical_issues: "The asset has open critical issues. Decide about them first.",
  asset_not_approved: "Only an approved asset can be certified. Decide its review first.",
  own_upload: "You submitted this file yourself. Somebody else has to approve it.",
  link_not_valid: "The link is not valid: it was used, withdrawn or has expired. Ask for a new one.",
  role_required: "You are in no workspace any more. Ask an admin for an invitation.",
  person_required: "This is for people who are signed in, not for API keys. Leave X-API-Key out and sign in.",
  cross_site_request:
    "A request with a session must come from this service's own pages (Sec-Fetch-Site: same-origin, or its Origin). Programs use an API key.",
  passwords_off: "Passwords are switched off here. Sign in with your organisation's account.",
  market_not_allowed: "Your role is limited to UK, and this is about IE. Ask an admin.",
  sign_in_failed: "This account cannot sign in. Ask an admin.",
  simulation_delay_needs_sandbox_key:
    "simulationDelaySeconds works only with a sandbox key (sk_test_…). Leave it out, or use a sandbox key.",
  malformed_http: "The request is not valid HTTP.",
  unauthenticated: "The X-API-Key header is missing. Send your workspace's API key in it.",
  tier_not_authorized_for_integrations_api: planMessage("upload"),
  invalid_filename: "The filename contains a slash or backslash; send the bare name, without any folder.",
  invalid_blob_path:
    "assets.0: The blob path does not belong to this workspace. Send the blobPath exactly as the upload returned it.",
  sandbox_key_required: "This endpoint works only with a sandbox key (sk_test_…).",
  mode_mismatch: "This is a live submission; use a live key to change it.",
  not_found: notFoundMessages.submission,
  asset_not_finished:
    "The asset has not finished processing. Poll the submission until its status is complete or failed.",
  asset_failed:
    "The asset failed with corrupt_media, so it has no results: The file is damaged. Export it again and upload it as a new version.",
  frame_not_found:
    "There is no frame of this issue: it has no place in the picture, or the picture could not be drawn there.",
  evidence_not_kept:
    "No evidence is kept of this asset: it is from the sandbox or an earlier release. Submit the file again.",
  rendition_not_ready:
    "This is being made and is not ready yet. GET …/renditions says how far it is; ask again in a few seconds.",
  no_rendition: "There is none for this kind of file.",
  method_not_allowed: "PUT is not allowed here; allowed: GET, HEAD, POST.",
  request_timeout: "The request body did not arrive in 20 s. Send it again.",
  asset_not_failed: "The asset has not failed, so there is nothing to retry.",
  error_not_retryable:
    "The asset failed for a reason that a retry cannot fix; see its errorMessage. Upload a corrected file as a new version.",
  retry_limit_reached: "The asset was retried 3 times already. Create a new submission.",
  retry_in_flight: "A retry of this asset is under way. Poll the submission.",
  idempotency_in_progress: "A request with this Idempotency-Key is still being carried out. Ask again in a moment.",
  file_too_large:
    "The file is larger than 10,485,760 bytes (10 MB), the most that a direct upload may have. Request a presigned URL with POST /api/integrations/uploads/url and PUT the file there.",
  body_too_large:
    "The request body is larger than 4,194,304 bytes (4 MiB). Media goes through an upload, not into JSON.",
  content_type_not_allowed:
    'The content type "image/svg+xml" is not allowed. Declare the type that the file really has, or convert it to one that is allowed.',
  content_does_not_match_type:
    "The file was declared as image/png, but its bytes look like PDF (application/pdf). Declare the type that the file really has, or upload the right file.",
  subscription_limit_reached:
    "A workspace may have 50 webhook subscriptions, and this one has them. Delete one that is not used any more.",
  subscription_inactive: "The subscription is not active, so nothing is sent to it. Set isActive to true first.",
  invalid_request: "The request body is not valid: assets is required. See details for all of it.",
  idempotency_key_reused:
    "This Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.",
  rate_limited: "Rate limit exceeded: 30 upload requests a minute. Try again in 12 s.",
  headers_too_large: "The request's headers are larger than 16 KiB.",
  internal_error:
    "Something went wrong on our side. Try again; if it keeps happening, give your operator the request id.",
  unavailable: "The service cannot reach its database right now. Try again in a moment.",
  insufficient_storage:
    "Uploads that no submission has taken may use 53687091200 bytes of this workspace, and that is used up. Submit them, or wait until they are removed 24 hours after they arrived. The operator sets the limit with GREENLIT_UNCLAIMED_QUOTA_GB.",
};

function errorSchemaName(status: number): keyof typeof errorSchemas {
  return status === 429
    ? "RateLimitError"
    : status === 402
      ? "PlanError"
      : status === 422
        ? "ValidationError"
        : "Error";
}

const errorCode = { type: "string", enum: Object.keys(failures).filter((code) => code !== "rate_limited") };
const message = { type: "string", description: "What happened and what to do." };

export const errorSchemas = {
  Error: { type: "object", required: ["error_code", "message"], properties: { error_code: errorCode, message } },
  ValidationError: {
    type: "object",
    required: ["error_code", "message", "details"],
    properties: {
      error_code: errorCode,
      message,
      details: {
        type: "array",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: { type: "string", examples: ["assets.0.blobPath"] }, message: { type: "string" } },
        },
      },
    },
  },
  PlanError: {
    type: "object",
    required: ["error_code", "message", "bucket"],
    properties: {
      error_code: { type: "string", const: "tier_not_authorized_for_integrations_api" },
      message,
      bucket: { type: "string", description: "The bucket that the plan leaves out." },
    },
  },
  RateLimitError: {
    type: "object",
    required: ["error"],
    properties: { error: { type: "string" } },
    additionalProperties: false,
  },
};

export const requestIdHeader = {
  description: "Give it to your operator when something went wrong; the log has it.",
  schema: { type: "string", format: "uuid" },
};
