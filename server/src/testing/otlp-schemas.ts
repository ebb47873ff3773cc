import { type TSchema, Type } from "typebox";

/** The parts of OTLP 1.x in JSON that we send, after opentelemetry-proto: closed, so that a wrong name is an error. */
const message = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false });
const hex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${bytes * 2}}$` });
/** 64-bit numbers are text in JSON. */
const Fixed64 = Type.String({ pattern: "^[0-9]{1,20}$" });

const Attributes = Type.Array(
  message({
    key: Type.String({ minLength: 1 }),
    value: Type.Union([
      message({ stringValue: Type.String() }),
      message({ boolValue: Type.Boolean() }),
      message({ intValue: Type.String({ pattern: "^-?[0-9]+$" }) }),
      message({ doubleValue: Type.Number() }),
    ]),
  }),
);
const Resource = message({ attributes: Attributes });
const Scope = message({ name: Type.String() });

const Span = message({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: Type.Optional(hex(8)),
  name: Type.String({ minLength: 1 }),
  kind: Type.Integer({ minimum: 1, maximum: 5 }),
  startTimeUnixNano: Fixed64,
  endTimeUnixNano: Fixed64,
  attributes: Attributes,
  links: Type.Optional(Type.Array(message({ traceId: hex(16), spanId: hex(8) }))),
  status: Type.Optional(message({ code: Type.Literal(2), message: Type.String() })),
});

export const ExportTraceServiceRequest = message({
  resourceSpans: Type.Array(
    message({ resource: Resource, scopeSpans: Type.Array(message({ scope: Scope, spans: Type.Array(Span) })) }),
  ),
});

const times = { attributes: Attributes, startTimeUnixNano: Fixed64, timeUnixNano: Fixed64 };
const NumberPoints = Type.Array(message({ ...times, asDouble: Type.Number() }));
const Cumulative = Type.Literal(2);
const HistogramPoint = message({
  ...times,
  count: Fixed64,
  sum: Type.Number(),
  bucketCounts: Type.Array(Fixed64),
  explicitBounds: Type.Array(Type.Number()),
});
const named = { name: Type.String({ minLength: 1 }), description: Type.String() };

const Metric = Type.Union([
  message({ ...named, gauge: message({ dataPoints: NumberPoints }) }),
  message({
    ...named,
    sum: message({ dataPoints: NumberPoints, aggregationTemporality: Cumulative, isMonotonic: Type.Boolean() }),
  }),
  message({
    ...named,
    histogram: message({ dataPoints: Type.Array(HistogramPoint), aggregationTemporality: Cumulative }),
  }),
]);

export const ExportMetricsServiceRequest = message({
  resourceMetrics: Type.Array(
    message({ resource: Resource, scopeMetrics: Type.Array(message({ scope: Scope, metrics: Type.Array(Metric) })) }),
  ),
});
