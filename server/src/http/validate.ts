import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Failure, type FailureDetail } from "../failure.ts";

const maxDetails = 20;

/** Validates without coercion, but for query parameters, which are always text on the wire. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // At its first request: all of them together would be a tenth of the service's start.
  let compiled: ReturnType<typeof Compile<TSchema>> | undefined;
  const read = reader(schema, httpPart);
  return (input: unknown) => {
    const validator = (compiled ??= Compile(schema));
    const value = read(input);
    const nul = httpPart === "querystring" ? findNul(value) : undefined;
    if (nul === undefined && validator.Check(value)) return { value };
    const details = nul ? [nul] : validator.Errors(value).flatMap(describe);
    const where = { body: "body", params: "path", querystring: "query", headers: "headers" }[httpPart ?? "body"];
    return { error: invalid(where ?? "body", details) };
  };
};

export function invalid(where: string, details: FailureDetail[]): Failure {
  const first = details[0];
  const what = first ? `: ${first.path === "" ? "it" : first.path} ${first.message}` : "";
  return new Failure("invalid_request", `The request ${where} is not valid${what}. See details for all of it.`, {
    details: details.slice(0, maxDetails),
  });
}

/** PostgreSQL keeps no NUL in a text: a query with one would fail there. */
function findNul(value: unknown): FailureDetail | undefined {
  const found = Object.entries(value as object).find(([, text]) => String(text).includes("\0"));
  return found && { path: found[0], message: "must not contain a NUL character" };
}

type Property = { type?: string | string[]; format?: string };

function reader(schema: TSchema, httpPart: string | undefined): (input: unknown) => unknown {
  const properties = "properties" in schema ? Object.entries(schema.properties as Record<string, Property>) : [];
  const convert = httpPart === "querystring" ? fromQuery : httpPart === "params" ? fromPath : undefined;
  if (convert === undefined || properties.length === 0) return (input) => input;
  return (input) => {
    const values: Record<string, unknown> = { ...(input as Record<string, unknown>) };
    for (const [name, property] of properties) {
      const value = values[name];
      if (typeof value === "string") values[name] = convert(value, property);
    }
    return values;
  };
}

/** Only digits become a number: "1e1", "0x10" and " 5" stay text and are refused. Empty is the same as left out. */
function fromQuery(value: string, { type }: Property): unknown {
  const mayBe = (name: string) => [type].flat().includes(name);
  if (value === "" && mayBe("null")) return null;
  return mayBe("integer") && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

/** PostgreSQL finds a uuid in any case; an answer, a job or a realtime channel made of the caller's spelling is another one. */
function fromPath(value: string, { format }: Property): string {
  return format === "uuid" ? value.toLowerCase() : value;
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
  if (keyword === "boolean") return []; // The same unknown property, reported a second time.
  if ("allowedValues" in params) {
    const values = (params.allowedValues as (string | null)[]).filter((value) => value !== null);
    return [{ path, message: `must be one of ${values.join(", ")}` }];
  }
  return [{ path, message }];
}
