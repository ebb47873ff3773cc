import type { MetricObjectWithValues, MetricValue } from "prom-client";
import type { TraceContext } from "./trace-context.ts";

type Attributes = Record<string, string | number | boolean | undefined>;

/** Times in milliseconds since 1970. */
export type Span = TraceContext & {
  parentSpanId?: string | undefined;
  name: string;
  kind: keyof typeof kinds;
  startMs: number;
  endMs: number;
  attributes?: Attributes;
  /** What failed, in a word; left out: nothing did. */
  error?: string | undefined;
  /** Where it was asked for, when that is another trace. */
  link?: TraceContext | undefined;
};

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const cumulative = 2;

/** The body of `POST /v1/traces` in the JSON form of OTLP 1.x: ids in hex, times and 64-bit numbers as text. */
export function writeTraces(spans: readonly Span[], resource: Attributes): string {
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: pairs(resource) }, scopeSpans: [{ scope, spans: spans.map(writeSpan) }] },
    ],
  });
}

const scope = { name: "greenlit" };

function writeSpan({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, error, link }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: pairs(attributes ?? {}),
    ...(link && { links: [{ traceId: link.traceId, spanId: link.spanId }] }),
    ...(error !== undefined && { status: { code: 2, message: error } }),
  };
}

/** The body of `POST /v1/metrics`, with the names that `/metrics` has. */
export function writeMetrics(
  metrics: readonly MetricObjectWithValues<MetricValue<string>>[],
  options: { resource: Attributes; startMs: number; nowMs: number },
): string {
  const time = { startTimeUnixNano: nanoseconds(options.startMs), timeUnixNano: nanoseconds(options.nowMs) };
  const point = ({ labels, value }: MetricValue<string>) => ({
    attributes: pairs(labels),
    ...time,
    asDouble: value,
  });
  const written = metrics.flatMap(({ name, help, type, values }): object[] => {
    const finite = values.filter(({ value }) => Number.isFinite(value));
    const kind = String(type);
    if (kind === "histogram") return [{ name, description: help, histogram: histogramOf(values, time) }];
    if (finite.length === 0) return [];
    if (kind === "gauge") return [{ name, description: help, gauge: { dataPoints: finite.map(point) } }];
    if (kind !== "counter") return [];
    const sum = { dataPoints: finite.map(point), aggregationTemporality: cumulative, isMonotonic: true };
    return [{ name, description: help, sum }];
  });
  return JSON.stringify({
    resourceMetrics: [
      { resource: { attributes: pairs(options.resource) }, scopeMetrics: [{ scope, metrics: written }] },
    ],
  });
}

/** Prometheus counts all up to a bound, OTLP those between two bounds. */
function histogramOf(values: readonly MetricValue<string>[], time: Record<string, string>) {
  const series = Map.groupBy(values, ({ labels }) => {
    const { le: _le, ...rest } = labels as Record<string, string | number>;
    return JSON.stringify(rest);
  });
  const dataPoints = [...series].map(([labels, parts]) => {
    const named = (suffix: string) => parts.filter((part) => nameOf(part).endsWith(suffix));
    const buckets = named("_bucket");
    const upTo = buckets.map(({ value }) => value);
    return {
      attributes: pairs(JSON.parse(labels) as Attributes),
      ...time,
      count: String(named("_count")[0]?.value ?? 0),
      sum: named("_sum")[0]?.value ?? 0,
      bucketCounts: upTo.map((count, index) => String(count - (upTo[index - 1] ?? 0))),
      explicitBounds: buckets
        .map(({ labels }) => Number((labels as { le: string | number }).le))
        .filter(Number.isFinite),
    };
  });
  return { dataPoints, aggregationTemporality: cumulative };
}

function nameOf(part: object): string {
  return String((part as { metricName?: string }).metricName);
}

function pairs(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === undefined) return [];
    if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}
