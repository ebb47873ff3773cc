import { Type, type TSchema, type Static } from "typebox";

/** Shared shapes of the interface. A schema with a title becomes a named component of the OpenAPI document. */

export const Uuid = Type.String({ format: "uuid" });

export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601, UTC, with milliseconds.",
  examples: ["2026-11-15T09:30:00.000Z"],
});

/**
 * `type: [x, "null"]` rather than a union: it reads better in the document and serialises several times faster. A set of
 * values needs null among them too: validators hold an answer to both.
 */
export function Nullable<T extends TSchema & { type?: string; enum?: readonly unknown[] }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [schema.type, "null"],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  });
}

/** An optional property of a request: null is the same as leaving it out. */
export function Maybe<T extends TSchema & { type?: string }>(schema: T) {
  return Type.Optional(Nullable(schema));
}

/** A closed set of strings. */
export function OneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: values, ...options });
}

/** A request object: properties that are not declared are refused. */
export function Body<T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
