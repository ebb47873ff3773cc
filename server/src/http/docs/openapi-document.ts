/** The parts of an OpenAPI 3.1 document that the page shows. */
export type OpenApiDocument = {
  info: { title: string; version: string; summary?: string; description?: string };
  servers?: readonly { url: string }[];
  tags?: readonly { name: string; description?: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, { type: string; in?: string; name?: string; description?: string }>;
  };
};

export type OperationObject = {
  operationId?: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, ResponseObject>;
};

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };

export type ResponseObject = {
  description: string;
  headers?: Record<string, { description?: string; schema: Schema }>;
  content?: Record<string, Media>;
};

export type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };

export type Schema = {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  deprecated?: boolean;
};

/** An operation with what it inherits from where it stands in the document. */
export type Operation = OperationObject & { id: string; method: string; path: string; tag: string; title: string };

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      id: operation.operationId ?? `${method}-${path.replaceAll(/\W+/g, "-")}`,
      method: method.toUpperCase(),
      path,
      tag: operation.tags?.[0] ?? "Other",
      title: operation.summary ?? `${method.toUpperCase()} ${path}`,
    })),
  );
}

/** The only media type, or the first: the page shows one. */
export function firstMedia(content: Record<string, Media> | undefined): (Media & { type: string }) | undefined {
  const [first] = Object.entries(content ?? {});
  return first && { type: first[0], ...first[1] };
}
