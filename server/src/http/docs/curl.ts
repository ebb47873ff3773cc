import { exampleOf, sampleOf } from "./example.ts";
import { firstMedia, type OpenApiDocument, type Operation, type Parameter } from "./openapi-document.ts";
import { fieldsOf, shapeOf, type Schemas } from "./shape.ts";

export const keyVariable = "GREENLIT_API_KEY";

/** The operation as a command to paste into a shell. */
export function curlOf(document: OpenApiDocument, operation: Operation): string {
  const schemas = document.components?.schemas ?? {};
  const header = keyHeader(document);
  const lines = [
    `curl ${operation.method === "GET" ? "" : `-X ${operation.method} `}"${addressOf(document, operation)}"`,
    ...(header ? [`-H "${header}: $${keyVariable}"`] : []),
    ...bodyArguments(operation, schemas),
  ];
  return lines.join(" \\\n  ");
}

export function keyHeader(document: OpenApiDocument): string | undefined {
  const schemes = Object.values(document.components?.securitySchemes ?? {});
  return schemes.find((scheme) => scheme.type === "apiKey" && scheme.in === "header")?.name;
}

/** Path parameters are shell variables: curl would read the braces of a template as a pattern. */
function addressOf(document: OpenApiDocument, { path, parameters = [] }: Operation): string {
  const schemas = document.components?.schemas ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map((parameter) => `${parameter.name}=${queryValue(parameter, schemas)}`);
  return (document.servers?.[0]?.url ?? "") + filled + (query.length > 0 ? `?${query.join("&")}` : "");
}

function queryValue({ schema }: Parameter, schemas: Schemas): string {
  const value = sampleOf(schema, { schemas, trail: [] });
  return encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value));
}

function shellName(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
}

function bodyArguments({ requestBody }: Operation, schemas: Schemas): string[] {
  const media = firstMedia(requestBody?.content);
  if (!media) return [];
  const example = exampleOf(media, schemas);
  if (media.type !== "multipart/form-data")
    return [`-H "Content-Type: ${media.type}"`, `-d ${quote(JSON.stringify(example, null, 2))}`];
  return fieldsOf(shapeOf(media.schema, schemas)).map(({ name, schema }) => {
    const value = String((example as Record<string, unknown>)[name]);
    // Without `type` curl sends most files as application/octet-stream.
    return `-F ${quote(`${name}=${schema.format === "binary" ? "@./image.png;type=image/png" : value}`)}`;
  });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
