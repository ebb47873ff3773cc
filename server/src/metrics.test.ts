import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { startTestService, type TestService } from "./testing/test-service.ts";

let service: TestService;
let metrics: string;
before(async () => {
  service = await startTestService({ env: { GREENLIT_METRICS_PORT: "0" } });
  const workspace = await service.newWorkspace();
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await workspace.finish(submissionId);
  metrics = await (await fetch(service.metricsUrl ?? "")).text();
});
after(() => service[Symbol.asyncDispose]());

const folder = new URL("../../deploy/monitoring/", import.meta.url);

/** The names in a query that are neither functions nor words of the language nor labels. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, "").replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) \([^)]*\)/g, "");
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => name.includes("_"));
}

function hasMetric(name: string): boolean {
  return new RegExp(`^# TYPE ${name.replace(/_(?:count|sum|bucket)$/, "")} `, "m").test(metrics);
}

test("every query of the dashboard and of the alerts names metrics that the service has", async () => {
  const dashboard = JSON.parse(await readFile(new URL("grafana-dashboard.json", folder), "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = parse(await readFile(new URL("alerts.yaml", folder), "utf8")) as {
    groups: { rules: { expr: string }[] }[];
  };
  const queries = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];

  assert.ok(queries.length >= 15);
  for (const query of queries) {
    const names = metricsIn(query);
    assert.ok(names.length > 0, query);
    for (const name of names) assert.ok(hasMetric(name), `${name} of ${query} is not in /metrics`);
  }
  assert.ok(!hasMetric("greenlit_no_such_metric"));
});

test("an analysis is counted by its outcome, and the database by its answer", () => {
  assert.match(metrics, /greenlit_analysis_duration_seconds_count\{category="document",outcome="complete"\} 1/);
  assert.match(metrics, /^greenlit_database_up 1$/m);
  assert.match(metrics, /^greenlit_webhook_deliveries_due 0$/m);
});
