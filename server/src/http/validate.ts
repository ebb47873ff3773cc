import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Failure, type FailureDetail } from "../failure.ts";

const mostDetails = 20;

/** Validates without coercion, but for query parameters, which are always text on the wire. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  const integers =
    httpPart === "querystring" ? propertiesOf(schema, ({ type }) => [type].flat().includes("integer")) : [];
  const ids = httpPart === "params" ? propertiesOf(schema, ({ format }) => format === "uuid") : [];
  return (input: unknown) => {
    const value = integers.length > 0 ? withIntegers(input, integers) : ids.length > 0 ? withIds(input, ids) : input;
    if (validator.Check(value)) return { value };
    const details = validator.Errors(value).flatMap(describe);
    const where = { body: "body", params: "path", querystring: "query", headers: "headers" }[httpPart ?? "body"];
    return { error: invalid(where ?? "body", details) };
  };
};

export function invalid(where: string, details: FailureDetail[]): Failure {
  const first = details[0];
  const what = first ? `: ${first.path === "" ? "it" : first.path} ${first.message}` : "";
  return new Failure("invalid_request", `The request ${where} is not valid${what}. See details for all of it.`, {
    details: details.slice(0, mostDetails),
  });
}

type Property = { type?: string | string[]; format?: string };

function propertiesOf(schema: TSchema, isWanted: (property: Property) => boolean): string[] {
  const properties = "properties" in schema ? (schema.properties as Record<string, Property>) : {};
  return Object.keys(properties).filter((name) => isWanted(properties[name] ?? {}));
}

/** PostgreSQL finds a uuid in any case; an answer, a job or a realtime channel made of the caller's spelling is another one. */
function withIds(input: unknown, names: string[]): unknown {
  const params = { ...(input as Record<string, string>) };
  for (const name of names) params[name] = params[name]?.toLowerCase() ?? "";
  return params;
}

/** Only digits become a number: "1e1", "0x10" and " 5" stay text and are refused. Empty is null, the default. */
function withIntegers(input: unknown, names: string[]): unknown {
  const query: Record<string, unknown> = { ...(input as Record<string, unknown>) };
  for (const name of names) {
    const value = query[name];
    if (value === "") query[name] = null;
    else if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) query[name] = Number(value);
  }
  return query;
}

type ValidationError = { keyword: string; instancePath: string; message: string; params: object };

function describe({ keyword, instancePath, message, params }: ValidationError): FailureDetail[] {
  const path = instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  const inside = (name: string) => (path === "" ? name : `${path}.${name}`);
  if ("requiredProperties" in params)
    return (params.requiredProperties as string[]).map((name) => ({ path: inside(name), message: "is required" }));
  if (keyword === "additionalProperties" && "additionalProperties" in params)
    return (params.additionalProperties as string[]).map((name) => ({
      path: inside(name),
      message: "is not a known property",
    }));
  if (keyword === "boolean") return []; // The same unknown property, told a second time.
  if ("allowedValues" in params) {
    const values = (params.allowedValues as (string | null)[]).filter((value) => value !== null);
    return [{ path, message: `must be one of ${values.join(", ")}` }];
  }
  return [{ path, message }];
}
