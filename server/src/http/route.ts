import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import type { App } from "../app.ts";
import type { FailureCode } from "../failure.ts";
import type { Role } from "../db/people-tables.ts";
import type { Session } from "../people/sessions.ts";
import type { Caller } from "../workspaces/caller.ts";
import type { IdempotentRequest } from "../workspaces/idempotency.ts";
import type { Bucket } from "../workspaces/plans.ts";

export const prefix = "/api/integrations";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a status answers with: JSON of that schema, a stream of bytes of that type, or no body. */
type Response =
  | { description: string; schema: TSchema | null; contentType?: never; example?: unknown }
  | {
      description: string;
      contentType: string;
      schema?: never;
      /** What stored JSON holds, for the documentation: it is sent as it was stored. */
      stored?: TSchema;
      example?: unknown;
    };

type Responses = { readonly [status: number]: Response };

type Answer<R extends Responses> = {
  [Status in keyof R]: AnswerHead<Status> &
    (R[Status] extends { schema: infer S extends TSchema }
      ? { body: Static<S> }
      : R[Status] extends { contentType: string }
        ? { stream: Readable }
        : object);
}[keyof R];

type AnswerHead<Status> = {
  status: Status;
  headers?: Record<string, string>;
  /** More for the request's log line, asked for when the answer is over. */
  logFields?: () => Record<string, string | number>;
};

/** The least role of a person who may call; `signed-in`: anybody with a session; `public`: anybody. */
export type LeastRole = Role | "signed-in" | "public";

type Input<P, Q, B, L extends LeastRole = Role> = {
  app: App;
  caller: L extends Role ? Caller : L extends "signed-in" ? Caller | undefined : undefined;
  session: L extends "signed-in" ? Session : Session | undefined;
  params: P;
  query: Q;
  body: B;
  request: FastifyRequest;
  /** Set on an `isIdempotent` route when the caller sent an Idempotency-Key: the verb keeps its answer under it. */
  idempotent: IdempotentRequest | undefined;
};

type RouteDeclaration = {
  method: Method;
  /** Below `/api/integrations`. */
  path: `/${string}`;
  /** Every request counts against one bucket, so no route can be declared without it. */
  bucket: Bucket;
  /** The least role a person needs in the workspace, so no route can be declared without it. API keys are not limited by it. */
  role: LeastRole;
  /**
   * How the first gate knows the caller, beyond a key or a session: a token in the query is for pages that cannot set a
   * header, `person` refuses keys.
   */
  auth?: "key-or-token" | "person";
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
  // Strings of a JSON body in which the route refuses a NUL itself, with an error of its own: "/assets/*/blobPath".
  nulCheckedIn?: readonly string[];
  /** Refused for live keys: the whole route with 403, or one query parameter with 400. */
  sandboxOnly?: "route" | { query: string };
  /** Takes `Idempotency-Key`: the same request again gets the same answer. */
  isIdempotent?: boolean;
  responses: Responses;
  /** Beyond those of the gates, which every route has. */
  failures: readonly FailureCode[];
};

export const tags = {
  Uploads: "Get bytes into the store: by a presigned URL for any size, or directly for up to 10 MB.",
  Submissions:
    "Group uploaded files into a submission, follow it to the end, retry what failed, resubmit new versions.",
  Results:
    "What was found: issues with their rule, evidence, reasoning and precedents; topics; what changed between versions.",
  Review:
    "What people decide: the queue, claims and assignment, decisions, comments, findings of their own, and the audit of all of it.",
  Sidekicks: "The compliance checkers and their rules.",
  Webhooks:
    "Get notified when an asset is done. Deliveries follow Standard Webhooks 1.0 and any of its libraries verifies them: `webhook-id` names the event (the same in every attempt and replay: use it to ignore repeats), `webhook-timestamp` the second it was sent, `webhook-signature` one or two `v1,…` signatures over `id.timestamp.body`. Answer 2xx within 15 s; anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may arrive more than once, and events in any order.",
  Sandbox: "Test an integration with a `sk_test_` key: nothing is analysed and nothing costs credits.",
  Realtime: "Follow a submission, or what ends in the whole workspace, as it happens: server-sent events.",
  Account: "What the key is allowed to do.",
  People:
    "Sign in, and say who may do what in the workspace. For people, not for keys: the session is in a cookie. `X-Greenlit-Workspace` and `X-Greenlit-Mode` say where and how a request works, for people in several workspaces.",
} as const;

type Tag = keyof typeof tags;

export type Route = RouteDeclaration & {
  handler: (input: Input<never, never, never>) => Promise<AnswerHead<number> & { body?: unknown; stream?: Readable }>;
};

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

/** Declares an endpoint. Types of the handler's input and answer come from the schemas. */
export function defineRoute<
  R extends Responses,
  const A extends Answer<R>,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  const L extends LeastRole = Role,
>(
  declaration: Omit<RouteDeclaration, "role" | "params" | "query" | "body" | "responses"> & {
    role: L;
    params?: P;
    query?: Q;
    body?: B;
    responses: R;
    handler(input: Input<StaticOf<P>, StaticOf<Q>, StaticOf<B>, L>): Promise<A>;
  },
): Route {
  return declaration as unknown as Route;
}
