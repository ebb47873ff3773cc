import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { Failure } from "../failure.ts";
import type { Caller } from "../workspaces/api-key.ts";
import type { Route } from "./route.ts";

/** The gates before validation, in the order callers rely on: key, plan, rate limit, sandbox. */
export async function passGates(app: App, route: Route, request: FastifyRequest): Promise<Caller> {
  const token = route.auth === "key-or-token" ? (request.query as { token?: unknown }).token : undefined;
  const isByToken = request.headers["x-api-key"] === undefined && typeof token === "string" && token !== "";
  const caller = isByToken ? await authenticateByToken(app, request, token) : await authenticate(app, request);
  await countRequest(app, { caller, bucket: route.bucket });
  if (caller.mode === "live") refuseSandboxFeatures(route, request);
  return caller;
}

async function authenticate(app: App, request: FastifyRequest): Promise<Caller> {
  const key = request.headers["x-api-key"];
  if (typeof key !== "string" || key === "")
    throw new Failure("unauthenticated", "The X-API-Key header is missing. Send your workspace's API key in it.");
  const caller = await app.apiKeys.find(key);
  if (!caller)
    throw new Failure(
      "unauthenticated",
      "The API key is not valid: it is unknown, revoked or expired. Check the X-API-Key header, or ask your operator for a new key.",
    );
  // What follows may fail, and its log line still tells whose request it was.
  request.caller = caller;
  return caller;
}

/** A token stands for the key that asked for it, on the one channel it was asked for. */
async function authenticateByToken(app: App, request: FastifyRequest, token: string): Promise<Caller> {
  const grant = app.realtime.tokens.read(token);
  const { channel } = request.params as { channel?: string };
  const caller =
    grant && grant.channel === channel?.toLowerCase() ? await app.apiKeys.findById(grant.keyId) : undefined;
  if (!caller || caller.workspaceId !== grant?.workspaceId)
    throw new Failure(
      "unauthenticated",
      "The token is not valid: it has expired, is for another channel, or its key was revoked. Get a new one with POST /api/integrations/realtime/token.",
    );
  request.caller = caller;
  return caller;
}

async function countRequest(app: App, { caller, bucket }: { caller: Caller; bucket: Route["bucket"] }): Promise<void> {
  const limit = app.plans.get(caller.plan)?.[bucket] ?? (app.plans.has(caller.plan) ? null : 0);
  if (limit === null) return;
  if (limit === 0)
    throw new Failure(
      "tier_not_authorized_for_integrations_api",
      `The plan "${caller.plan}" does not include ${bucket} requests. Retrying does not help; ask your operator for another plan.`,
      { bucket },
    );
  const refused = await app.rateLimiter.take({ keyId: caller.keyId, bucket, limit });
  if (refused)
    throw new Failure(
      "rate_limited",
      `Rate limit exceeded: ${limit} ${bucket} requests a minute. Try again in ${refused.retryAfterSeconds} s.`,
      { retryAfterSeconds: refused.retryAfterSeconds },
    );
}

function refuseSandboxFeatures({ sandboxOnly }: Route, request: FastifyRequest): void {
  if (sandboxOnly === "route")
    throw new Failure("sandbox_key_required", "This endpoint works only with a sandbox key (sk_test_…).");
  if (sandboxOnly && sandboxOnly.query in (request.query as object))
    throw new Failure(
      "simulation_delay_needs_sandbox_key",
      `${sandboxOnly.query} works only with a sandbox key (sk_test_…). Leave it out, or use a sandbox key.`,
    );
}
