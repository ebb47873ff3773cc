import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import type { App } from "../app.ts";
import type { FailureCode } from "../failure.ts";
import type { Caller } from "../workspaces/api-key.ts";
import type { Bucket } from "../workspaces/plans.ts";

export const prefix = "/api/integrations";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a status answers with: a JSON body of that schema, or none. */
type Response = { description: string; schema: TSchema | null; example?: unknown };

type Responses = { readonly [status: number]: Response };

type Answer<R extends Responses> = {
  [Status in keyof R]: R[Status] extends { schema: infer S extends TSchema }
    ? { status: Status; body: Static<S>; headers?: Record<string, string> }
    : { status: Status; headers?: Record<string, string> };
}[keyof R];

type Input<P, Q, B> = { app: App; caller: Caller; params: P; query: Q; body: B; request: FastifyRequest };

type RouteDeclaration = {
  method: Method;
  /** Below `/api/integrations`. */
  path: `/${string}`;
  /** Every request counts against one bucket, so no route can be declared without it. */
  bucket: Bucket;
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  /** The media type of the request body; a multipart handler reads `request.raw` itself. */
  bodyType?: "application/json" | "multipart/form-data";
  bodyExample?: unknown;
  /** Refused for live keys: the whole route with 403, or one query parameter with 400. */
  sandboxOnly?: "route" | { query: string };
  responses: Responses;
  /** Beyond those of the gates, which every route has. */
  failures: readonly FailureCode[];
};

export const tags = {
  Uploads: "Get bytes into the store: by a presigned URL for any size, or directly for up to 10 MB.",
  Account: "What the key is allowed to do.",
} as const;

type Tag = keyof typeof tags;

export type Route = RouteDeclaration & {
  handler: (
    input: Input<never, never, never>,
  ) => Promise<{ status: number; body?: unknown; headers?: Record<string, string> }>;
};

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

/** Declares an endpoint. Types of the handler's input and answer come from the schemas. */
export function defineRoute<
  R extends Responses,
  const A extends Answer<R>,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  declaration: Omit<RouteDeclaration, "params" | "query" | "body" | "responses"> & {
    params?: P;
    query?: Q;
    body?: B;
    responses: R;
    handler(input: Input<StaticOf<P>, StaticOf<Q>, StaticOf<B>>): Promise<A>;
  },
): Route {
  return declaration as unknown as Route;
}
