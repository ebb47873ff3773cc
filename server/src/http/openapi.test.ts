import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { failures } from "../failure.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { routes } from "./routes.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

type Document = {
  openapi: string;
  paths: Record<string, Record<string, { responses: Record<string, unknown>; description: string }>>;
  components: { schemas: Record<string, { properties?: Record<string, { enum?: string[] }> }> };
};

async function document(): Promise<Document> {
  return (await service.fetch("/api/integrations/openapi.json")).json as unknown as Document;
}

test("the document passes Redocly's recommended rules, and its examples fit their schemas", async () => {
  const { text } = await service.fetch("/api/integrations/openapi.json");
  const config = await createConfig({
    extends: ["recommended"],
    rules: { "no-invalid-media-type-examples": "error", "no-invalid-schema-examples": "error" },
  });

  const problems = await lintFromString({ source: text, config });

  const errors = problems.filter(({ severity }) => severity === "error");
  assert.deepEqual(
    errors.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    [],
  );
});

test("every route is in it, with the errors of every gate", async () => {
  const { openapi, paths } = await document();

  assert.equal(openapi, "3.1.0");
  for (const { method, path, body, bodyType } of routes) {
    const operation = paths[`/api/integrations${path.replaceAll(/:(\w+)/g, "{$1}")}`]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path}`);
    for (const status of ["401", "402", "422", "429", "500", "503", ...(body ? ["413"] : [])])
      assert.ok(operation.responses[status], `${method} ${path} ${status}`);
    if (body && bodyType !== "multipart/form-data") assert.ok(operation.responses["408"], `${method} ${path} 408`);
  }
});

test("every endpoint of the contract is a route, with its bucket", () => {
  const table = new Set(routes.map(({ method, path, bucket }) => `${method} ${path} ${bucket}`));

  for (const row of [
    "POST /uploads/url upload",
    "POST /uploads/direct upload",
    "POST /submissions submission_write",
    "GET /submissions/:submission_id submission_read",
    "GET /submissions/:submission_id/assets/:asset_id submission_read",
    "GET /submissions/:submission_id/assets/:asset_id/issues submission_read",
    "GET /submissions/:submission_id/assets/:asset_id/topics submission_read",
    "POST /submissions/:submission_id/assets/:asset_id/retry submission_write",
    "GET /submissions/:submission_id/versions submission_read",
    "POST /sandbox/events/fire sandbox",
    "GET /limits submission_read",
  ])
    assert.ok(table.has(row), row);
});

test("what may be null is null in its set of values too", async () => {
  const sets = nullableSets(await document());

  assert.ok(sets.length > 0);
  for (const values of sets) assert.ok(values.includes(null), String(values));
});

/** The sets of values of everything that may be null, wherever it stands in the document. */
function nullableSets(part: unknown): unknown[][] {
  if (typeof part !== "object" || part === null) return [];
  const { type, enum: values } = part as { type?: unknown; enum?: unknown };
  const isNullable = Array.isArray(type) && type.includes("null") && Array.isArray(values);
  return [...(isNullable ? [values as unknown[]] : []), ...Object.values(part).flatMap(nullableSets)];
}

test("error codes are an enum, and a property that is called title stays", async () => {
  const { components } = await document();

  assert.deepEqual(
    components.schemas["Error"]?.properties?.["error_code"]?.enum,
    Object.keys(failures).filter((code) => code !== "rate_limited"),
  );
  assert.deepEqual(Object.keys(components.schemas["Precedent"]?.properties ?? {}), [
    "url",
    "title",
    "decision",
    "date",
  ]);
});
