import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { AlreadyAnswered, findAnswer, idempotentRequest, type KeptAnswer } from "../workspaces/idempotency.ts";
import type { Route } from "./route.ts";

type RouteAnswer = Awaited<ReturnType<Route["handler"]>>;

/** Calls the handler, or gives the kept answer when an Idempotency-Key says that the request was carried out before. */
export async function handleOrReplay(
  app: App,
  { route, request }: { route: Route; request: FastifyRequest },
): Promise<RouteAnswer> {
  const { params, query, body, caller, session } = request;
  const idempotencyKey = request.headers["idempotency-key"];
  const idempotent =
    route.isIdempotent && typeof idempotencyKey === "string" && caller
      ? idempotentRequest({ keyId: caller.actor.id, idempotencyKey, method: request.method, path: request.url, body })
      : undefined;

  const kept = idempotent && (await findAnswer(app, idempotent));
  if (kept) return replay(kept);
  try {
    return await route.handler({
      app,
      caller,
      session,
      params,
      query,
      body: body ?? undefined,
      request,
      idempotent,
    } as never);
  } catch (error) {
    if (error instanceof AlreadyAnswered) return replay(error.answer);
    throw error;
  }
}

function replay({ status, body }: KeptAnswer): RouteAnswer {
  return { status, body, headers: { "idempotent-replayed": "true" } };
}
