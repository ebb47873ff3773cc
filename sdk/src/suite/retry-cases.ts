import { ConflictError, ConnectionError, createGreenlit, PlanError, RateLimitError, ServerError } from "../index.ts";
import { equal, json, rejection, scriptedFetch, type SuiteCase } from "./suite-case.ts";

const id = "00000000-0000-7000-8000-000000000000";
const created = { submissionId: id, workflowId: "wf", realtimeChannel: "c", status: "submitted", assets: [] };
const submission = { assets: [{ blobPath: "ws_1/ad.mp4" }] };
const refused = (status: number, error_code: string) => json(status, { error_code, message: "No." });

export const retryCases: SuiteCase[] = [
  {
    name: "a creation is tried again under one idempotency key after a lost connection, 503 and a twin in flight",
    async run() {
      const { fetch, seen } = scriptedFetch([
        new TypeError("socket hang up"),
        refused(503, "unavailable"),
        refused(409, "idempotency_in_progress"),
        json(201, created),
      ]);

      const answer = await createGreenlit({ apiKey: "sk_test_x", fetch }).submissions.create(submission);

      equal(answer.submissionId, id);
      equal(seen.length, 4);
      equal(new Set(seen.map(({ headers }) => headers.get("idempotency-key"))).size, 1);
      equal((seen[0]?.headers.get("idempotency-key") ?? "").length, 32);
    },
  },
  {
    name: "Retry-After is waited for",
    async run() {
      const { fetch, seen } = scriptedFetch([
        json(429, { error: "Slow down." }, { "retry-after": "1" }),
        json(200, {}),
      ]);
      const startedAt = Date.now();

      await createGreenlit({ fetch }).limits();

      equal(seen.length, 2);
      equal(Date.now() - startedAt >= 990, true, "waited");
    },
  },
  {
    name: "a long Retry-After is the caller's to decide",
    async run() {
      const { fetch, seen } = scriptedFetch([json(429, { error: "Slow down." }, { "retry-after": "3600" })]);

      const error = await rejection(createGreenlit({ fetch }).limits());

      equal(error instanceof RateLimitError && error.retryAfterSeconds, 3600);
      equal([error.message, seen.length], ["Slow down.", 1]);
    },
  },
  {
    name: "402 and a real conflict are not tried again",
    async run() {
      const plan = scriptedFetch([refused(402, "tier_not_authorized_for_integrations_api")]);
      const conflict = scriptedFetch([refused(409, "retry_in_flight")]);

      const first = await rejection(createGreenlit({ fetch: plan.fetch }).submissions.create(submission));
      const second = await rejection(createGreenlit({ fetch: conflict.fetch }).assets.retry(id, id));

      equal(first instanceof PlanError && second instanceof ConflictError && second.code, "retry_in_flight");
      equal([plan.seen.length, conflict.seen.length], [1, 1]);
    },
  },
  {
    name: "a POST without a key is not repeated when it may have been carried out, and is when it was not",
    async run() {
      const broken = scriptedFetch([refused(500, "internal_error")]);
      const limited = scriptedFetch([json(429, { error: "Slow down." }, { "retry-after": "0" }), json(200, {})]);
      const event = { eventType: "asset.processing.completed" as const, submissionId: id };

      const error = await rejection(createGreenlit({ fetch: broken.fetch }).sandbox.fireEvents(event));
      await createGreenlit({ fetch: limited.fetch }).sandbox.fireEvents(event);

      equal(error instanceof ServerError, true);
      equal([broken.seen.length, limited.seen.length], [1, 2]);
    },
  },
  {
    name: "a deletion whose answer was lost counts as done",
    async run() {
      const { fetch, seen } = scriptedFetch([new TypeError("socket hang up"), refused(404, "not_found")]);

      await createGreenlit({ fetch }).submissions.delete(id);

      equal(seen.length, 2);
    },
  },
  {
    name: "a service that stays away is a ConnectionError that names it",
    async run() {
      const { fetch, seen } = scriptedFetch([new TypeError("refused")]);

      const error = await rejection(
        createGreenlit({ baseUrl: "http://greenlit.example:8080/api/integrations/", maxRetries: 1, fetch }).limits(),
      );

      equal(error instanceof ConnectionError, true);
      equal([error.message, seen.length], ["greenlit.example:8080 cannot be reached: refused.", 2]);
      equal(seen[0]?.url, "http://greenlit.example:8080/api/integrations/limits");
    },
  },
];
