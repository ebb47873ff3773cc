export { createGreenlit, type Greenlit } from "./client.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  ForbiddenError,
  GreenlitError,
  NotFoundError,
  PlanError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnsupportedTypeError,
  UploadError,
  ValidationError,
  WebhookVerificationError,
} from "./errors.ts";
export type * from "./generated.ts";
export type { Pages } from "./pages.ts";
export type { FollowOptions, RealtimeMessage } from "./realtime.ts";
export type { ClientOptions, OperationInput, RequestOptions } from "./transport.ts";
export type { UploadOptions } from "./upload.ts";
export type { UploadCheckpoint } from "./upload-address.ts";
export type { RandomAccessSource, UploadSource } from "./upload-source.ts";
export type { WaitOptions } from "./wait-until-done.ts";
export { type UnwrapOptions, unwrapWebhook, type WebhookEvent, type WebhookHeaders } from "./webhooks.ts";
