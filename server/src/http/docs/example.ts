import type { Media, Schema } from "./openapi-document.ts";
import { fieldsOf, shapeOf, type Schemas } from "./shape.ts";

/** The example of the document, or one made from the schema. */
export function exampleOf(media: Media, schemas: Schemas): unknown {
  const [named] = Object.values(media.examples ?? {});
  return media.example ?? named?.value ?? sampleOf(media.schema, { schemas, trail: [] });
}

const formats: Record<string, string> = {
  uuid: "0193a1f2-7c4e-7d31-9b0a-5f2e8c6d1a47",
  "date-time": "2026-11-15T09:30:00.000Z",
  date: "2026-11-15",
  uri: "https://example.com/",
  email: "ada@example.com",
};

type Place = {
  schemas: Schemas;
  /** The components around this one: one that holds itself would never end. */
  trail: readonly string[];
};

export function sampleOf(schema: Schema, { schemas, trail }: Place): unknown {
  const shape = shapeOf(schema, schemas);
  const { name, schema: resolved, variants } = shape;
  const given = [resolved.example, resolved.examples?.[0], resolved.const, resolved.default];
  const value = given.find((candidate) => candidate !== undefined);
  if (value !== undefined) return value;
  if (resolved.enum) return shape.isNullable ? null : resolved.enum[0];
  if (name !== undefined && trail.includes(name)) return null;
  const place = { schemas, trail: name === undefined ? trail : [...trail, name] };
  if (variants[0]) return sampleOf(variants[0], place);
  switch (shape.type) {
    case "object":
      return Object.fromEntries(
        fieldsOf(shape)
          .map(({ name, schema, isRequired }) => ({ name, isRequired, value: sampleOf(schema, place) }))
          .filter(({ isRequired, value }) => isRequired || value !== null)
          .map(({ name, value }) => [name, value]),
      );
    case "array": {
      const item = resolved.items && sampleOf(resolved.items, place);
      return item === undefined || item === null ? [] : [item];
    }
    case "integer":
    case "number":
      return resolved.minimum ?? (shape.isNullable ? null : 1);
    case "boolean":
      return true;
    case "string":
      return shape.isNullable ? null : (formats[resolved.format ?? ""] ?? "string");
    default:
      return null;
  }
}
