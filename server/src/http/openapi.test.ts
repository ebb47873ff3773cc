import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import { failures } from "../failure.ts";
import { Value } from "typebox/value";
import { eventTypes, subscribableEventTypes } from "../db/tables.ts";
import {
  CompletedEvent,
  FailedEvent,
  CertificateIssuedEvent,
  CertificateRevokedEvent,
  RejudgedEvent,
  ReviewDecidedEvent,
} from "./webhooks/event-schemas.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { routes } from "./routes.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

type Document = {
  openapi: string;
  webhooks: Record<string, Record<string, Described>>;
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

test("the rules that examples name are rules that a pack has", async () => {
  const { text } = await service.fetch("/api/integrations/openapi.json");
  const known = new Set((await loadPacks()).flatMap(({ sidekick }) => sidekick.rules.map(({ code }) => code)));

  const named = Array.from(text.matchAll(/"ruleCode":"([^"]+)"/g), ([, code]) => code ?? "");

  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((code) => !known.has(code)),
    [],
  );
});

type Content = Record<string, { example?: unknown; examples?: Record<string, { value: Record<string, unknown> }> }>;
type Described = { requestBody?: { content: Content }; responses: Record<string, { content?: Content }> };

test("every body has an example; those of errors are one for each code, with a message of its own", async () => {
  const { paths, webhooks } = await document();
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Described>).map(([method, operation]) => ({
      name: `${method} ${path}`,
      ...operation,
    })),
  );
  const messages = new Map<unknown, unknown>();

  for (const { name, requestBody, responses } of operations) {
    for (const [status, { content = {} }] of [["request", requestBody ?? {}] as const, ...Object.entries(responses)])
      for (const [type, { example, examples }] of Object.entries(content)) {
        if (["image/jpeg", "image/webp", "video/mp4", "application/octet-stream"].includes(type)) continue;
        assert.ok(example !== undefined || Object.keys(examples ?? {}).length > 0, `${name} ${status} ${type}`);
        for (const [code, { value }] of Object.entries(examples ?? {})) {
          if (status !== "429") assert.equal(value["error_code"], code, `${name} ${status}`);
          assert.equal(failures[code as keyof typeof failures], Number(status), `${name} ${code}`);
          const said = String(value["message"] ?? value["error"]);
          assert.ok([undefined, code].includes(messages.get(said) as string | undefined), `${code}: ${said}`);
          messages.set(said, code);
        }
      }
  }
  assert.ok(messages.size > 25, `${messages.size}`);
});

test("the events are its webhooks, and what is sent fits them", async () => {
  const { webhooks } = await document();
  const workspace = await service.newWorkspace();
  const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await workspace.finish(created.submissionId);
  const { submissionId } = await workspace.submit(
    { assets: [{ blobPath: await workspace.upload() }] },
    { mode: "sandbox" },
  );
  await workspace.finish(submissionId);
  const url = "https://receiver.example/hook";
  const { json } = await workspace.call("POST", "/webhooks", { body: { url, eventTypes: subscribableEventTypes } });
  for (const eventType of eventTypes) {
    const fired = { eventType, submissionId };
    await workspace.call("POST", "/sandbox/events/fire", { mode: "sandbox", body: fired });
    await workspace.call("POST", `/webhooks/${String(json["subscriptionId"])}/test`, { body: { eventType } });
  }
  const review = `/submissions/${created.submissionId}/assets/${created.assets[0]?.assetId}/review/decisions`;
  await workspace.call("POST", review, { body: { decision: "rejected", reason: "No." } });

  const events = await service.app.db
    .selectFrom("events")
    .select(["type", "body"])
    .where("workspaceId", "=", workspace.workspaceId)
    .execute();

  const schemas = {
    "asset.processing.completed": CompletedEvent,
    "asset.processing.failed": FailedEvent,
    "asset.review.decided": ReviewDecidedEvent,
    "asset.rejudged": RejudgedEvent,
    "certificate.issued": CertificateIssuedEvent,
    "certificate.revoked": CertificateRevokedEvent,
  };
  assert.deepEqual(Object.keys(webhooks), subscribableEventTypes);
  assert.equal(events.length, 6);
  for (const { type, body } of events) {
    const schema = schemas[type];
    assert.ok(Value.Check(schema, body), JSON.stringify([body, ...Value.Errors(schema, body)]));
    assert.deepEqual(Object.keys(body), Object.keys(schema.properties));
    const { data } = body as { data: object };
    assert.deepEqual(new Set(Object.keys(data)), new Set(Object.keys(schema.properties.data.properties)));
  }
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
