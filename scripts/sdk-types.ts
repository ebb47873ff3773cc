import { mediaTypes } from "@greenlit/engine/media-types/media-types.ts";
import { describeApi } from "@greenlit/server/http/openapi.ts";
import { prefix } from "@greenlit/server/http/route.ts";
import { allRoutes } from "@greenlit/server/http/routes.ts";

type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  format?: string;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
};
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

/** The generated module of the SDK: the types of the OpenAPI document and the table of its operations. */
export function renderSdkTypes(): string {
  return `${renderTypes()}
/** Operations that take \`Idempotency-Key\`. */
export const idempotentOperations: ReadonlySet<string> = new Set([
${allRoutes
  .filter(({ isIdempotent }) => isIdempotent)
  .map(({ operationId }) => `  "${operationId}",`)
  .join("\n")}
]);

/** The content type that an extension usually has. */
export const contentTypes: Record<string, string> = {
${[...usualTypes()].map(([extension, type]) => `  ${quoted(extension)}: "${type}",`).join("\n")}
};
`;
}

/** The types, and the method and path of each operation. */
function renderTypes(): string {
  const { paths, components } = describeApi(allRoutes, "http://127.0.0.1:8080") as unknown as ApiDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path: path.slice(prefix.length), method, operation })),
  );
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema)}export type ${nameOf(name)} = ${typeOf(schema)};\n`,
  );
  return `// Generated from the OpenAPI document by \`npm run docs\`. Do not edit.

${types.join("\n")}
export type NoFields = { [name in never]: never };

/** Every operation of the API: what goes into it and what it answers. */
export type Operations = {
${operations.map(({ operation }) => describeOperation(operation)).join("\n")}
};

/** Method and path of every operation, below \`${prefix}\`. */
export const operations: Record<keyof Operations, string> = {
${operations.map(({ path, method, operation }) => `  ${operation.operationId}: "${method.toUpperCase()} ${path}",`).join("\n")}
};
`;
}

function usualTypes(): Map<string, string> {
  const types = new Map<string, string>();
  for (const { contentType, extensions } of mediaTypes)
    for (const extension of extensions) if (!types.has(extension)) types.set(extension, contentType);
  return types;
}

function describeOperation({ operationId, summary, parameters = [], requestBody, responses }: Operation): string {
  const group = (place: string) =>
    fields(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, required, description, schema }) => ({
          name,
          isRequired: required === true,
          schema: description === undefined ? schema : { ...schema, description },
        })),
      "    ",
    );
  const body = requestBody && Object.values(requestBody.content)[0]?.schema;
  const isOptional = requestBody?.required === false;
  return [
    `  /** ${summary}. */`,
    `  ${operationId}: {`,
    `    params: ${group("path")};`,
    `    query: ${group("query")};`,
    `    body: ${body ? typeOf(body, "    ") + (isOptional ? " | undefined" : "") : "undefined"};`,
    `    result: ${resultOf(responses)};`,
    "  };",
  ].join("\n");
}

function resultOf(responses: Operation["responses"]): string {
  const [, answer] = Object.entries(responses).find(([status]) => Number(status) < 400) ?? [];
  const [contentType, media] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (contentType === undefined || media === undefined) return "undefined";
  return contentType === "application/json" ? typeOf(media.schema, "    ") : "Response";
}

function typeOf(schema: Schema | undefined, indent = ""): string {
  if (schema === undefined) return "unknown";
  if (schema.$ref !== undefined) return nameOf(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return [...new Set(any.map((part) => typeOf(part, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    case "array": {
      const item = typeOf(schema.items, indent);
      return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return objectOf(schema, indent);
    default:
      return "unknown";
  }
}

function objectOf({ properties, required, additionalProperties }: Schema, indent: string): string {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown"}>`;
  // Only a request says that nothing else may be in it; without `required` all of it may be left out.
  const isRequest = additionalProperties === false;
  return fields(
    Object.entries(properties).map(([name, schema]) => ({
      name,
      isRequired: required?.includes(name) ?? !isRequest,
      schema,
    })),
    indent,
  );
}

function fields(list: { name: string; isRequired: boolean; schema: Schema }[], indent: string): string {
  if (list.length === 0) return "NoFields";
  const inner = `${indent}  `;
  const lines = list.map(
    ({ name, isRequired, schema }) =>
      `${comment(schema, inner)}${inner}${quoted(name)}${isRequired ? "" : "?"}: ${typeOf(schema, inner)};`,
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function comment({ description }: Schema, indent = ""): string {
  return description === undefined
    ? ""
    : `${indent}/** ${description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`;
}

/** `Error` would hide the language's own. */
function nameOf(schema: string): string {
  return schema === "Error" ? "ErrorBody" : schema.endsWith("Error") ? `${schema}Body` : schema;
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
