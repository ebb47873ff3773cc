import type { TSchema } from "typebox";
import type { FailureCode } from "../failure.ts";
import { describeFailures, errorSchemas, requestIdHeader } from "./openapi-failures.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";
import { prefix, tags, type Route } from "./route.ts";

type Json = { [key: string]: unknown };

/** What any request may meet before its handler: the gates, and a service in trouble. */
const gateFailures = [
  "unauthenticated",
  "tier_not_authorized_for_integrations_api",
  "rate_limited",
  "invalid_request",
  "internal_error",
  "unavailable",
] as const satisfies FailureCode[];

function gateFailuresOf({ bucket }: Route): FailureCode[] {
  return gateFailures.filter((code) => bucket !== "console" || code !== "tier_not_authorized_for_integrations_api");
}

/** What the gates answer to people. */
function peopleFailuresOf({ role, auth, method }: Route): FailureCode[] {
  return [
    ...(role === "public" || role === "signed-in" ? [] : (["role_required"] as const)),
    ...(auth === "person" ? (["person_required"] as const) : []),
    ...(method === "GET" ? [] : (["cross_site_request"] as const)),
  ];
}

/** What a JSON body may meet before it is read to its end. */
const bodyFailures = ["request_timeout", "body_too_large"] as const satisfies FailureCode[];

/** The OpenAPI 3.1 document, from the same schemas that validate and serialise. */
export function describeApi(routes: readonly Route[], serverUrl: string): Json {
  const components = new Map<string, unknown>();
  const hasPeople = routes.some(({ auth }) => auth === "person");
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = prefix + route.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = describeRoute(route, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Greenlit",
      version: "1.0.0",
      summary: "Media compliance submissions.",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    security: [{ ApiKey: [] }, ...(hasPeople ? [{ Session: [] }] : [])],
    tags: Object.entries(tags)
      .filter(([name]) => routes.some((route) => route.tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(routes.some(({ tag }) => tag === "Webhooks") && {
      webhooks: describeWebhooks((schema) => reference(schema, components)),
    }),
    components: {
      securitySchemes: {
        ApiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description:
            "`sk_live_…` for real processing, `sk_test_…` for the sandbox. The workspace comes from the key.",
        },
        ...(hasPeople && {
          Session: {
            type: "apiKey",
            in: "cookie",
            name: "__Host-greenlit",
            description:
              "The session of a person who signed in (`greenlit` on plain http to this machine). A key in `X-API-Key` goes before it. What changes something must come from this service's own pages.",
          },
        }),
        ...(routes.some(({ auth }) => auth === "key-or-token") && {
          RealtimeToken: {
            type: "apiKey",
            in: "query",
            name: "token",
            description: "For pages that cannot set a header: a short-lived token for one channel.",
          },
        }),
      },
      schemas: { ...errorSchemas, ...Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))) },
    },
  };
}

function describeRoute(route: Route, components: Map<string, unknown>): Json {
  const parameters = [
    ...parametersOf(route.params, "path"),
    ...parametersOf(route.query, "query"),
    ...(route.isIdempotent ? [idempotencyHeader] : []),
  ];
  const responses = Object.fromEntries(
    Object.entries(route.responses).map(([status, { description, schema, contentType, example, ...rest }]) => [
      status,
      {
        description,
        headers: { "X-Request-Id": requestIdHeader },
        ...(schema && {
          content: {
            "application/json": { schema: reference(schema, components), ...(example !== undefined && { example }) },
          },
        }),
        ...(contentType !== undefined && {
          content: {
            [contentType.split(";")[0] ?? contentType]: {
              schema:
                "stored" in rest && rest.stored
                  ? reference(rest.stored, components)
                  : { type: "string", ...(!contentType.startsWith("text/") && { format: "binary" }) },
              ...(example !== undefined && { example }),
            },
          },
        }),
      },
    ]),
  );
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\nRate-limit bucket: \`${route.bucket}\`.${roleText(route)}`,
    ...(route.auth === "key-or-token" && { security: [{ ApiKey: [] }, { RealtimeToken: [] }, { Session: [] }] }),
    ...(route.auth === "person" && { security: [{ Session: [] }] }),
    ...(route.role === "public" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: (route.body as { required?: string[] }).required !== undefined,
        content: {
          [route.bodyType ?? "application/json"]: {
            schema: reference(route.body, components),
            ...(route.bodyExample !== undefined && { example: route.bodyExample }),
          },
        },
      },
    }),
    responses: {
      ...responses,
      ...describeFailures(route, [
        ...gateFailuresOf(route),
        ...route.failures,
        ...peopleFailuresOf(route),
        ...(route.body && route.bodyType !== "multipart/form-data" ? bodyFailures : []),
        ...(route.isIdempotent ? idempotencyFailures : []),
      ]),
    },
  };
}

function roleText({ role, auth }: Route): string {
  if (role === "public") return " Needs no key and no session.";
  if (role === "signed-in") return " For everybody who is signed in.";
  return ` Least role of a person: \`${role}\`.${auth === "person" ? " Not for keys." : ""}`;
}

const idempotencyFailures = ["idempotency_in_progress", "idempotency_key_reused"] as const satisfies FailureCode[];

const idempotencyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 printable characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, with `Idempotent-Replayed: true`, and is carried out once.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function parametersOf(schema: TSchema | undefined, location: "path" | "query"): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: location,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

/** Values, not schemas: an example may well have a property named title. */
const literals = new Set(["example", "examples", "default", "const", "enum"]);

/** A copy in which every schema with a title is a named component. A property that is called title is no title. */
function reference(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, literals.has(key) ? value : reference(value, components)]),
  );
  if (typeof copy["title"] !== "string") return copy;
  const { title, ...named } = copy;
  components.set(title, named);
  return { $ref: `#/components/schemas/${title}` };
}

const introduction = `Upload media, group it into a submission, and read what a compliance reviewer should look at.

**Authentication.** Every request carries \`X-API-Key\`. The prefix of the key alone selects live or sandbox behaviour.

**Errors.** \`{"error_code","message"}\`, on 422 with \`details\`; 429 is \`{"error"}\` with \`Retry-After\`. Retry 500, 502 and 503 with backoff. Every answer has \`X-Request-Id\`.

**Rate limits.** Each request counts against one bucket of its key over a sliding 60 seconds. No \`X-RateLimit-*\` header is ever sent; \`GET /api/integrations/limits\` shows what is left.

**Versions.** The interface is additive: fields may be added, none is renamed, retyped or dropped. \`/api/v1/integrations\` answers the same as \`/api/integrations\`.`;
