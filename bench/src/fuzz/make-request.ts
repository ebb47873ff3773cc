import { prefix, type Route } from "@greenlit/server/http/route.ts";
import { allRoutes } from "@greenlit/server/http/routes.ts";
import type { Random } from "./random.ts";

/** What exists in the service: credentials, and an id for each name in a path. */
export type Targets = { keys: string[]; cookies: string[]; ids: Record<string, string> };

export type FuzzRequest = {
  operationId: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
};

const strings = [
  "",
  " ",
  "a",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e\u200b\ufeff",
  "'; drop table submissions; --",
  "%00%ff%2e%2e%2f",
  "../../../etc/passwd",
  "${jndi:ldap://x}{{7*7}}<script>",
  "a".repeat(300),
  "ä".repeat(70_000),
  "1e400",
  "-1",
  "9223372036854775808",
  "NaN",
  "null",
  "true",
  "2026-02-30T00:00:00Z",
  "-271821-04-20T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:59.999Z",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "http://[::1]:0/",
  "https://user:pass@example.com:99999/#x",
  "http://169.254.169.254/",
  "javascript:alert(1)",
  "__proto__",
  "constructor",
  "x@y.z",
] as const;
const numbers = [0, -0, -1, 1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 1e-320] as const;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] as const;
const contentTypes = [
  "application/json",
  "application/json; charset=utf-16",
  "application/JSON;charset=",
  "text/plain",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "",
  ";",
] as const;
const strangeHeaders: readonly (readonly [string, readonly string[]])[] = [
  ["idempotency-key", ["", "k", "a".repeat(300), "\u00ff", "again"]],
  ["x-greenlit-mode", ["live", "sandbox", "", "x"]],
  ["x-greenlit-workspace", ["ws_0", "", "'", "x".repeat(500)]],
  ["range", ["bytes=0-", "bytes=-1", "bytes=5-1", "bytes=0-0,2-3", "bytes=99999999999999999999-", "x"]],
  ["if-none-match", ["*", '"a"', 'W/"', ""]],
  ["last-event-id", ["0", "-1", "x", "9".repeat(40), "1-1"]],
  ["accept", ["text/event-stream", "*/*;q=", "application/xml", ""]],
  ["accept-encoding", ["gzip", "identity;q=0", "x"]],
  ["x-forwarded-for", ["127.0.0.1", "::1, x", "\u00fc"]],
  ["origin", ["null", "http://x", "https://localhost:1"]],
  ["sec-fetch-site", ["cross-site", "same-origin", "none", "x"]],
  ["traceparent", ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x", "00-0-0-0"]],
  ["authorization", ["Bearer x", "Basic eA==", "Bearer"]],
  ["content-encoding", ["gzip", "x"]],
];

/** A request of the API that would succeed, or nearly, changed at some places. */
export function makeRequest(random: Random, targets: Targets): FuzzRequest {
  const route = random.pick(allRoutes);
  const method = random.percent(4) ? random.pick(methods) : route.method;
  const headers: Record<string, string> = { "sec-fetch-site": "same-origin" };
  // Those after it would all be 401.
  const isKept = route.operationId !== "signOut" || random.percent(1);
  const isForPeople = route.role === "signed-in" || route.auth === "person";
  if (random.percent(isForPeople ? 5 : 60))
    headers["x-api-key"] = random.percent(96) ? random.pick(targets.keys) : hostileText(random);
  if (headers["x-api-key"] === undefined && random.percent(95))
    headers["cookie"] = isKept && random.percent(96) ? random.pick(targets.cookies) : hostileText(random);
  for (const [name, values] of strangeHeaders) if (random.percent(4)) headers[name] = random.pick(values);
  const hasBody = route.body !== undefined || route.bodyType !== undefined || random.percent(3);
  const body = hasBody && method !== "GET" && method !== "HEAD" ? makeBody(random, route) : undefined;
  if (body !== undefined)
    headers["content-type"] = random.percent(3)
      ? random.pick(contentTypes)
      : route.bodyType === "multipart/form-data"
        ? "multipart/form-data; boundary=cut"
        : "application/json";
  return {
    operationId: route.operationId,
    method,
    path: prefix + makePath(random, route, targets) + makeQuery(random, route),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerValue(value)])),
    body,
  };
}

function makePath(random: Random, route: Route, { ids }: Targets): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    random.percent(90) ? (ids[name] ?? "1") : encodeURIComponent(wellFormed(hostileText(random)).slice(0, 3000)),
  );
  return random.percent(1) ? path.replace("/", random.pick(["//", "/./", "/%2e%2e/", "/%00", "/%"])) : path;
}

function propertiesOf({ query }: Route): object {
  return query !== undefined && "properties" in query ? (query.properties ?? {}) : {};
}

function makeQuery(random: Random, route: Route): string {
  const known = Object.keys(propertiesOf(route));
  const names = [...known.filter(() => random.percent(35)), ...(random.percent(3) ? ["x", "__proto__"] : [])];
  const value = () =>
    random.percent(50)
      ? random.pick(["1", "10", "100", "true", "UK", "live", "open", "2026-01-01T00:00:00Z", "0.5"])
      : hostileText(random);
  const parts = names.map((name) => `${name}=${encodeURIComponent(wellFormed(value())).slice(0, 5000)}`);
  if (parts.length > 0 && random.percent(3)) parts.push(random.pick(parts), "%", "&&=", "a[b]=c");
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

function makeBody(random: Random, route: Route): string {
  if (route.bodyType === "multipart/form-data") return makeForm(random);
  const base: unknown = structuredClone(route.bodyExample ?? exampleOf(route.body));
  let value = base;
  for (let left = random.pick([0, 1, 1, 1, 2, 4]); left > 0; left -= 1) value = mutate(random, value, 0);
  const text = JSON.stringify(value) ?? "null";
  if (random.percent(94)) return text;
  const place = random.below(text.length + 1);
  return random.pick([
    text.slice(0, place),
    text.slice(0, place) +
      random.pick(["\0", "\\u0000", "\\ud800", ",", "}", '"', "\u00ff", "1e999"]) +
      text.slice(place),
    "[".repeat(20_000),
    '{"a":'.repeat(2000),
    `{"__proto__":{"x":1},${text.slice(1)}`,
    "\ufeff" + text,
    "",
  ]);
}

function makeForm(random: Random): string {
  const filename = random.percent(70) ? "note.txt" : wellFormed(hostileText(random)).slice(0, 400);
  const type = random.percent(80) ? "text/plain" : random.pick(["image/png", "", "text/", "video/mp4"]);
  const form = `--cut\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\nA plain note.\r\n--cut--\r\n`;
  return random.percent(80) ? form : form.slice(0, random.below(form.length));
}

function mutate(random: Random, value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > 6 || random.percent(20)) return hostileValue(random);
  const keys = Object.keys(value);
  if (Array.isArray(value)) {
    if (keys.length === 0 || random.percent(20)) return [...value, hostileValue(random)];
    if (random.percent(5)) return Array.from({ length: 2000 }, () => value[0] as unknown);
    const place = random.below(value.length);
    return value.map((item: unknown, index) => (index === place ? mutate(random, item, depth + 1) : item));
  }
  const changed: Record<string, unknown> = { ...value };
  if (keys.length === 0 || random.percent(8)) return { ...changed, [hostileText(random)]: hostileValue(random) };
  const key = random.pick(keys);
  if (random.percent(15)) delete changed[key];
  else changed[key] = mutate(random, changed[key], depth + 1);
  return changed;
}

function hostileValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => true,
    () => random.pick(numbers),
    () => hostileText(random),
    () => hostileText(random),
    () => hostileText(random),
    () => [],
    () => ({}),
    () => [hostileText(random)],
    () => ({ [hostileText(random)]: random.pick(numbers) }),
  ])();
}

function hostileText(random: Random): string {
  return random.pick(strings);
}

/** Something of the schema's form, where the route gives no example. */
function exampleOf(schema: unknown): unknown {
  const { type, properties, items, enum: values, anyOf, const: only } = (schema ?? {}) as Record<string, unknown>;
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0] as unknown;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0]);
  if (type === "object" || properties !== undefined)
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]));
  if (type === "array") return [exampleOf(items)];
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  return "text";
}

/** encodeURIComponent throws on half a surrogate pair. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** What Node agrees to send: bytes other than control characters. */
function headerValue(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "?").slice(0, 6000);
}
