import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { Value } from "typebox/value";
import { ExportMetricsServiceRequest, ExportTraceServiceRequest } from "../testing/otlp-schemas.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";

type Attribute = { key: string; value: Record<string, string> };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  links?: { traceId: string }[];
};
type Metric = { name: string; histogram?: { dataPoints: { count: string; bucketCounts: string[] }[] } };

let collector: Receiver;
let hooks: Receiver;
let service: TestService;
let workspace: TestWorkspace;
let submissionId = "";
const caller = "4bf92f3577b34da6a3ce929d0e0e4736";

before(async () => {
  collector = await startReceiver((response) => response.end("{}"));
  hooks = await startReceiver();
  service = await startTestService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector-key",
      OTEL_SERVICE_NAME: "clearance",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
      GREENLIT_WEBHOOK_HTTP: "true",
      GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8",
    },
  });
  workspace = await service.newWorkspace();
  const eventTypes = ["asset.processing.completed"];
  await workspace.call("POST", "/webhooks", { body: { url: hooks.url, eventTypes } });
  const assets = [{ blobPath: await workspace.upload() }];
  const headers = { traceparent: `00-${caller}-00f067aa0ba902b7-01` };
  submissionId = (await workspace.submit({ assets }, { headers })).submissionId;
  await workspace.finish(submissionId);
  await hooks.until(1);
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await hooks?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
});

function sentTo(path: string): object[] {
  return collector.received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as object);
}

function spans(): Span[] {
  const batches = sentTo("/v1/traces") as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }[];
  return batches.flatMap(({ resourceSpans }) => resourceSpans.flatMap((one) => one.scopeSpans.flatMap((s) => s.spans)));
}

function metricsSent(): Metric[] {
  const batches = sentTo("/v1/metrics") as { resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] }[];
  return batches.flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics)),
  );
}

test("request, queue, engine and webhook of a submission are one trace, which leads back to the caller's", async () => {
  const traceId = submissionId.replaceAll("-", "");
  const mine = () => spans().filter((span) => span.traceId === traceId);
  await until(() => mine().some(({ name }) => name === "webhook"));

  const byName = new Map(mine().map((span) => [span.name, span]));

  const request = byName.get("POST /api/integrations/submissions");
  const analysis = byName.get("analyze asset");
  assert.ok(request && analysis);
  assert.equal(request.parentSpanId, undefined);
  assert.deepEqual(
    request.links?.map((link) => link.traceId),
    [caller],
  );
  assert.equal(analysis.parentSpanId, request.spanId);
  assert.equal(byName.get("queue")?.parentSpanId, request.spanId);
  assert.equal(byName.get("engine")?.parentSpanId, analysis.spanId);
  assert.equal(byName.get("webhook")?.parentSpanId, request.spanId);
  assert.equal(
    hooks.received[0]?.headers["traceparent"],
    `00-${traceId}-${byName.get("webhook")?.spanId}-01`,
    "the receiver can go on with the trace",
  );
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of mine()) assert.ok(BigInt(start) <= BigInt(end));
});

test("another request continues the trace of its caller", async () => {
  const headers = { traceparent: `00-${caller}-00f067aa0ba902b8-01` };

  await workspace.call("GET", "/limits", { headers });

  const found = () => spans().find(({ name }) => name === "GET /api/integrations/limits");
  await until(() => found() !== undefined);
  assert.deepEqual([found()?.traceId, found()?.parentSpanId], [caller, "00f067aa0ba902b8"]);
});

test("metrics keep their names, and buckets add up", async () => {
  const name = "greenlit_analysis_duration_seconds";
  const found = () => metricsSent().findLast((metric) => metric.name === name)?.histogram?.dataPoints[0];
  await until(() => found()?.count === "1");

  const sum = found()?.bucketCounts.reduce((total, count) => total + Number(count), 0);

  assert.equal(sum, 1);
  const names = new Set(metricsSent().map((metric) => metric.name));
  for (const expected of ["greenlit_http_request_duration_seconds", "process_cpu_seconds_total"])
    assert.ok(names.has(expected), expected);
});

test("what is sent is what the protocol defines, with the configured headers and name", async () => {
  const schemas = { "/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest };
  await until(() => sentTo("/v1/traces").length > 0 && sentTo("/v1/metrics").length > 0);

  for (const [path, schema] of Object.entries(schemas))
    for (const body of sentTo(path)) assert.deepEqual(Value.Errors(schema, body), [], path);
  for (const { headers, body } of collector.received) {
    assert.equal(headers.authorization, "Bearer collector-key");
    assert.match(body, /"clearance"/);
  }
});
