import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { Failure } from "../failure.ts";
import { requireRole } from "../people/role.ts";
import { rotateSession, type Session } from "../people/sessions.ts";
import { sessionOf } from "../realtime/holder.ts";
import type { Caller } from "../workspaces/caller.ts";
import { consoleRequestsPerMinute } from "../workspaces/plans.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { readCookie, sessionCookie } from "./people/cookie.ts";
import { callerOf } from "./people/session-caller.ts";
import type { Route } from "./route.ts";

/**
 * The gates before validation, in the order callers rely on: key or session, role, plan, rate limit, sandbox. A key wins
 * over a cookie.
 */
export async function passGates(
  app: App,
  { route, request, reply }: { route: Route; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const cookie = readCookie(app, request);
  if (route.role === "public") {
    refuseCrossSite(app, request, { mayBeSilent: cookie === undefined });
    request.session = cookie === undefined ? undefined : await app.sessions.find(cookie);
    return;
  }
  const token = route.auth === "key-or-token" ? (request.query as { token?: unknown }).token : undefined;
  const hasKey = request.headers["x-api-key"] !== undefined;
  if (!hasKey && typeof token === "string" && token !== "") await authenticateByToken(app, request, token);
  else if (!hasKey && cookie !== undefined) await authenticateBySession(app, { route, request, reply, cookie });
  else await authenticate(app, request);

  // What follows may fail, and its log line still says whose request it was.
  const { caller, session } = request;
  if (caller) {
    if (route.auth === "person" && caller.actor.kind === "key") throw personRequired();
    if (route.role !== "signed-in") requireRole(caller.actor, route.role);
    await countRequest(app, { plan: caller.plan, holderId: caller.actor.id, bucket: route.bucket });
    if (caller.mode === "live") refuseSandboxFeatures(route, request);
  } else if (session && route.role === "signed-in") {
    await countRequest(app, { plan: "", holderId: session.personId, bucket: "console" });
  } else throw new Failure("role_required", "You are in no workspace any more. Ask an admin for an invitation.");
}

async function authenticate(app: App, request: FastifyRequest): Promise<void> {
  const key = request.headers["x-api-key"];
  if (typeof key !== "string" || key === "")
    throw new Failure("unauthenticated", "The X-API-Key header is missing. Send your workspace's API key in it.");
  const caller = await app.apiKeys.find(key);
  if (!caller)
    throw new Failure(
      "unauthenticated",
      "The API key is not valid: it is unknown, revoked or expired. Check the X-API-Key header, or ask your operator for a new key.",
    );
  request.caller = caller;
}

async function authenticateBySession(
  app: App,
  options: { route: Route; request: FastifyRequest; reply: FastifyReply; cookie: string },
): Promise<void> {
  const { route, request, reply, cookie } = options;
  refuseCrossSite(app, request, { mayBeSilent: false });
  const session = await app.sessions.find(cookie);
  if (!session) throw new Failure("unauthenticated", "The session is over. Sign in again.");
  request.session = session;
  if (session.mustRotate) await giveNewCookie(app, { session, reply });
  if (route.role !== "signed-in" || session.memberships.length > 0) request.caller = callerOf(session, request.headers);
}

async function giveNewCookie(app: App, { session, reply }: { session: Session; reply: FastifyReply }): Promise<void> {
  const token = await rotateSession(app.db, { sessionId: session.sessionId, now: app.now() });
  if (token === undefined) return;
  app.sessions.forget();
  void reply.header("set-cookie", sessionCookie(app, token));
}

/** A token stands for the key or the session that asked for it, on the one channel it was asked for. */
async function authenticateByToken(app: App, request: FastifyRequest, token: string): Promise<void> {
  const grant = app.realtime.tokens.read(token);
  const { channel } = request.params as { channel?: string };
  const caller = grant && grant.channel === channel?.toLowerCase() ? await findHolder(app, grant) : undefined;
  if (!caller || caller.workspaceId !== grant?.workspaceId)
    throw new Failure(
      "unauthenticated",
      "The token is not valid: it has expired, is for another channel, or its key was revoked. Get a new one with POST /api/integrations/realtime/token.",
    );
  request.caller = caller;
}

async function findHolder(
  app: App,
  { keyId: holder, workspaceId }: { keyId: string; workspaceId: string },
): Promise<Caller | undefined> {
  const sessionId = sessionOf(holder);
  if (sessionId === undefined) return app.apiKeys.findById(holder);
  const session = await app.sessions.findById(sessionId);
  const isMember = session?.memberships.some((membership) => membership.workspaceId === workspaceId);
  return session && isMember ? callerOf(session, { "x-greenlit-workspace": workspaceId }) : undefined;
}

async function countRequest(
  app: App,
  { plan, holderId, bucket }: { plan: string; holderId: string; bucket: Route["bucket"] },
): Promise<void> {
  const limit =
    bucket === "console"
      ? consoleRequestsPerMinute
      : (app.plans.get(plan)?.[bucket] ?? (app.plans.has(plan) ? null : 0));
  if (limit === null) return;
  if (limit === 0)
    throw new Failure(
      "tier_not_authorized_for_integrations_api",
      `The plan "${plan}" does not include ${bucket} requests. Retrying does not help; ask your operator for another plan.`,
      { bucket },
    );
  const refused = await app.rateLimiter.take({ keyId: holderId, bucket, limit });
  if (refused)
    throw new Failure(
      "rate_limited",
      `Rate limit exceeded: ${limit} ${bucket} requests a minute. Try again in ${refused.retryAfterSeconds} s.`,
      { retryAfterSeconds: refused.retryAfterSeconds },
    );
}

function personRequired(): Failure {
  return new Failure(
    "person_required",
    "This is for people who are signed in, not for API keys. Leave X-API-Key out and sign in.",
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
