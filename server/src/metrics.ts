import { createServer, type Server } from "node:http";
import type { Pool } from "pg";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { addWorkGauges } from "./work-gauges.ts";

export type Metrics = {
  observeRequest(request: { method: string; route: string; status: number; durationSeconds: number }): void;
  /** `outcome` is `complete` or the errorType. */
  observeAnalysis(analysis: { category: string; outcome: string; durationSeconds: number }): void;
  /** The same of a part of a long film. */
  observeFilmPart(part: { outcome: string; durationSeconds: number }): void;
  read(): ReturnType<Registry["getMetricsAsJSON"]>;
  /** Serves `/metrics`; anyone who reaches the port may read it. */
  createServer(): Server;
};

export function createMetrics({ pool }: { pool: Pool }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addWorkGauges(registry, pool);
  const requests = new Histogram({
    name: "greenlit_http_request_duration_seconds",
    help: "Duration of API requests by route pattern and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const analyses = new Histogram({
    name: "greenlit_analysis_duration_seconds",
    help: "Duration of analyses on this worker by category of media and outcome (complete, or the errorType).",
    labelNames: ["category", "outcome"],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200],
    registers: [registry],
  });
  const filmParts = new Histogram({
    name: "greenlit_film_part_duration_seconds",
    help: "Duration of gathering one part of a long film on this worker by outcome (complete, or the errorType).",
    labelNames: ["outcome"],
    buckets: [1, 5, 15, 60, 300, 1800, 7200],
    registers: [registry],
  });

  return {
    observeRequest: ({ method, route, status, durationSeconds }) =>
      requests.labels(method, route, String(status)).observe(durationSeconds),
    observeAnalysis: ({ category, outcome, durationSeconds }) =>
      analyses.labels(category, outcome).observe(durationSeconds),
    observeFilmPart: ({ outcome, durationSeconds }) => filmParts.labels(outcome).observe(durationSeconds),
    read: () => registry.getMetricsAsJSON(),
    createServer: () =>
      createServer((request, response) => {
        if (request.url !== "/metrics") {
          response.writeHead(404).end("Metrics are at /metrics.\n");
          return;
        }
        registry.metrics().then(
          (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      }),
  };
}
