import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import { writeMetrics, writeTraces, type Span } from "./otlp.ts";

export type Telemetry = {
  /** Sent with the next batch, when its trace is in the sample. */
  add(span: Span): void;
} & AsyncDisposable;

const maxWaiting = 4096;
const batchSize = 512;
const batchMs = 5000;
const requestMs = 10_000;
const farewellMs = 3000;

/** Sends spans and metrics by OTLP over HTTP. What the collector does not take is dropped: the work never waits for it. */
export function createTelemetry(options: { config: Config; metrics: Metrics; log: Logger; role: string }): Telemetry {
  const { config, metrics, log } = options;
  const startMs = Date.now();
  const resource = {
    "service.name": config.otelServiceName,
    "service.instance.id": randomUUID(),
    "host.name": hostname(),
    "greenlit.role": options.role,
  };
  const headers = { "content-type": "application/json", ...parseHeaders(config.otlpHeaders) };
  const closing = new AbortController();
  let waiting: Span[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;
  let isDown = false;

  async function post(path: string, body: string): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(requestMs), closing.signal]);
    try {
      const init = { method: "POST", headers, body, signal, redirect: "manual" as const };
      const response = await fetch(`${config.otlpEndpoint ?? ""}${path}`, init);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered with ${response.status}`);
      isDown = false;
    } catch (error) {
      // Once, not every five seconds for as long as it is away.
      if (!isDown) log.warn({ err: error, path }, "telemetry not sent");
      isDown = true;
    }
  }

  async function sendSpans(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await post("/v1/traces", writeTraces(batch, resource));
    }
    if (dropped > 0) log.warn({ dropped }, "spans dropped: there were more than the collector takes");
    dropped = 0;
  }

  function flush(): Promise<void> {
    return (sending ??= sendSpans().finally(() => (sending = undefined)));
  }

  async function sendMetrics(): Promise<void> {
    try {
      const values = await metrics.read();
      await post("/v1/metrics", writeMetrics(values, { resource, startMs, nowMs: Date.now() }));
    } catch (error) {
      log.warn({ err: error }, "metrics could not be read");
    }
  }

  const timers = [
    setInterval(() => void flush(), batchMs).unref(),
    setInterval(() => void sendMetrics(), config.otelMetricInterval).unref(),
  ];
  return {
    add(span) {
      if (!isSampled(span.traceId, config.otelSample)) return;
      if (waiting.length >= maxWaiting) dropped += 1;
      else waiting.push(span);
      if (waiting.length === batchSize) void flush();
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      const timer = setTimeout(() => closing.abort(), farewellMs);
      await Promise.all([flush().then(flush), sendMetrics()]);
      clearTimeout(timer);
    },
  };
}

/** By the id alone, so that all processes keep or leave the same traces. */
function isSampled(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < share;
}

/** `key=value,key=value`, values percent-encoded, as the OpenTelemetry specification has it. */
function parseHeaders(text: string | undefined): Record<string, string> {
  const found = (text ?? "").split(",").map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair));
  return Object.fromEntries(found.flatMap((match) => (match?.[1] ? [[match[1], decode(match[2] ?? "")]] : [])));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
