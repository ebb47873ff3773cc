import { mediaTypes } from "@greenlit/engine/media-types/media-types.ts";
import { describeApi } from "@greenlit/server/http/openapi.ts";
import { prefix } from "@greenlit/server/http/route.ts";
import { allRoutes } from "@greenlit/server/http/routes.ts";
import { createTypePrinter, fieldsOf, nameOf, type Field, type Schema, type TypePrinter } from "./type-printer.ts";

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Sets of values and shapes that stand in several places, each named after one of them, inner ones first. */
const sharedPlaces: Record<string, string> = {
  Severity: "Issue.severity",
  SeverityCounts: "Review.openIssues",
  IssueStatus: "Issue.status",
  ReasonCode: "IssueDecision.reasonCode",
  SubmissionStatus: "Submission.status",
  ErrorType: "AssetStatus.errorType",
  Mode: "Key.mode",
  Role: "Member.role",
  EventType: "TestWebhook.eventType",
  DeliveryStatus: "WebhookDelivery.status",
  DeliveryAttempt: "WebhookDelivery.attempts",
  Decision: "ReviewDecision.decision",
  Region: "Super.region",
  TimeSpan: "Measurements.black",
  Citation: "Issue.citation",
  Author: "Comment.author",
  FieldProblem: "ValidationError.details",
  Context: "Workspace.defaultContext",
};

/** The generated module of the SDK: the types of the OpenAPI document and the table of its operations. */
export function renderSdkTypes(): string {
  const { paths, components } = describeApi(allRoutes, "http://127.0.0.1:8080") as unknown as ApiDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path: path.slice(prefix.length), method, operation })),
  );
  const printer = createTypePrinter();
  const shared = Object.entries(sharedPlaces).map(([name, place]) =>
    printer.share(name, schemaAt(components.schemas, place)),
  );
  for (const [name, schema] of Object.entries(components.schemas))
    if (schema.type === "object" && schema.properties) printer.shareFields(nameOf(name), fieldsOf(schema));
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => listOf(printer, nameOf(name), schema) ?? printer.define(nameOf(name), schema),
  );
  const pathsOf = Object.entries(commonPaths).map(([name, parameters]) =>
    printer.share(name, {
      type: "object",
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: "string" }])),
    }),
  );

  return `// Generated from the OpenAPI document by \`npm run docs\`. Do not edit.

${shared.join("\n")}
${types.join("\n")}
export type List<Item> = { data: Item[] };

/** A part of a long list. */
export type Page<Item> = List<Item> & {
  hasMore: boolean;
  /** For the next page; null on the last one. */
  nextCursor: string | null;
};

export type NoFields = { [name in never]: never };

${pathsOf.join("\n")}
export type PageQuery = {
  limit?: number | null;
  cursor?: string | null;
};

export type Operation<Result = undefined, Params = NoFields, Body = undefined, Query = NoFields> = {
  params: Params;
  query: Query;
  body: Body;
  result: Result;
};

/** Every operation of the API: what it answers and what goes into it. */
export type Operations = {
${operations.map(({ operation }) => describeOperation(printer, operation)).join("\n")}
};

/** Method and path of every operation, below \`${prefix}\`. */
export const operations: Record<keyof Operations, string> = {
${operations.map(({ path, method, operation }) => `  ${operation.operationId}: "${method.toUpperCase()} ${path}",`).join("\n")}
};

/** Operations that take \`Idempotency-Key\`. */
export const idempotentOperations: ReadonlySet<string> = new Set([
${allRoutes
  .filter(({ isIdempotent }) => isIdempotent)
  .map(({ operationId }) => `  "${operationId}",`)
  .join("\n")}
]);

/** Content types, and the extensions that usually mean them. */
export const contentTypes: Record<string, string> = {
${usualTypes()}
};
`;
}

/** What most paths have in them. */
const commonPaths = {
  SubmissionPath: ["submission_id"],
  AssetPath: ["submission_id", "asset_id"],
  IssuePath: ["submission_id", "asset_id", "issue_id"],
  CommentPath: ["submission_id", "asset_id", "comment_id"],
  WebhookPath: ["subscription_id"],
  DeliveryPath: ["subscription_id", "delivery_id"],
};

/** `Issue.severity`: the schema of that field, without null and of one item where it is a list. */
function schemaAt(schemas: Record<string, Schema>, place: string): Schema {
  const [component = "", field = ""] = place.split(".");
  const found = schemas[component]?.properties?.[field];
  if (found === undefined) throw new Error(`There is no ${place} any more: name the shared type after another place.`);
  return found.items ?? found;
}

/** A list or a page, where the schema is one. */
function listOf({ typeOf, printFields }: TypePrinter, name: string, schema: Schema): string | undefined {
  const { data, hasMore, nextCursor, ...rest } = schema.properties ?? {};
  if (data?.items === undefined) return undefined;
  const kind = hasMore && nextCursor ? "Page" : "List";
  const fields = fieldsOf(schema).filter((field) => field.name in rest);
  const more = fields.length === 0 ? "" : ` & ${printFields(fields)}`;
  return `export type ${name} = ${kind}<${typeOf(data.items)}>${more};\n`;
}

/** The last type arguments are left out where they are the default. */
function describeOperation(printer: TypePrinter, operation: Operation): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const group = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }): Field => ({
        name,
        isRequired: required === true,
        schema: description === undefined ? schema : { ...schema, description },
      }));
  const body = requestBody && Object.values(requestBody.content)[0]?.schema;
  const isOptional = requestBody?.required === false;
  const parts = [
    { type: resultOf(printer, responses), usual: "undefined" },
    { type: printer.named(printer.printFields(group("path"), "  ")), usual: "NoFields" },
    { type: body ? printer.typeOf(body, "  ") + (isOptional ? " | undefined" : "") : "undefined", usual: "undefined" },
    { type: queryOf(printer, group("query")), usual: "NoFields" },
  ];
  const last = parts.findLastIndex(({ type, usual }) => type !== usual);
  const given = parts.slice(0, last + 1).map(({ type }) => type);
  return `  /** ${summary}. */\n  ${operationId}: Operation${given.length > 0 ? `<${given.join(", ")}>` : ""};`;
}

function queryOf({ printFields }: TypePrinter, fields: Field[]): string {
  const isPaged = ["limit", "cursor"].every((name) => fields.some((field) => field.name === name));
  if (!isPaged) return printFields(fields, "  ");
  const rest = fields.filter(({ name }) => name !== "limit" && name !== "cursor");
  return rest.length === 0 ? "PageQuery" : `PageQuery & ${printFields(rest, "  ")}`;
}

function resultOf({ typeOf }: TypePrinter, responses: Operation["responses"]): string {
  const [, answer] = Object.entries(responses).find(([status]) => Number(status) < 400) ?? [];
  const [contentType, media] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (contentType === undefined || media === undefined) return "undefined";
  return contentType === "application/json" ? typeOf(media.schema, "  ") : "Response";
}

/** An extension belongs to the first type that names it. */
function usualTypes(): string {
  const seen = new Set<string>();
  return mediaTypes
    .map(({ contentType, extensions }) => {
      const own = extensions.filter((extension) => !seen.has(extension));
      for (const extension of own) seen.add(extension);
      return own.length === 0 ? "" : `  "${contentType}": "${own.join(" ")}",`;
    })
    .filter((line) => line !== "")
    .join("\n");
}
