import type { Schema } from "./openapi-document.ts";

export type Schemas = Readonly<Record<string, Schema>>;

/** A schema with its references followed and its null set apart. */
export type Shape = {
  /** Of the component, when the schema is one. */
  name: string | undefined;
  schema: Schema;
  type: string | undefined;
  isNullable: boolean;
  /** Of a union; empty when there is only one way to be valid. */
  variants: readonly Schema[];
};

export type Field = { name: string; schema: Schema; isRequired: boolean };

export function shapeOf(schema: Schema, schemas: Schemas): Shape {
  const { $ref, allOf, oneOf, anyOf, ...own } = schema;
  if ($ref !== undefined) {
    const name = $ref.split("/").at(-1) ?? $ref;
    const target = shapeOf(schemas[name] ?? {}, schemas);
    return { ...target, name, schema: { ...target.schema, ...own } };
  }
  if (allOf) return shapeOf({ ...mergeAll(allOf, schemas), ...own }, schemas);
  const union = oneOf ?? anyOf ?? [];
  const variants = union.filter(({ type }) => type !== "null");
  const isNullable = variants.length < union.length;
  const [only] = variants;
  if (only && variants.length === 1) {
    const shape = shapeOf(only, schemas);
    return { ...shape, schema: { ...shape.schema, ...own }, isNullable: isNullable || shape.isNullable };
  }
  const types = [own.type ?? (own.properties && "object") ?? []].flat();
  return {
    name: undefined,
    schema: own,
    type: types.find((type) => type !== "null"),
    isNullable: isNullable || types.includes("null"),
    variants,
  };
}

/** How a type is called in a list of fields: `array of Issue`, `string (uuid) or null`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const shape = shapeOf(schema, schemas);
  return baseText(shape, schemas) + (shape.isNullable ? " or null" : "");
}

function baseText({ name, schema, type, variants }: Shape, schemas: Schemas): string {
  if (variants.length > 0) return [...new Set(variants.map((variant) => typeText(variant, schemas)))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (type === "array") return `array of ${schema.items ? typeText(schema.items, schemas) : "anything"}`;
  if (type === "object") return name ?? schema.title ?? mapText(schema, schemas) ?? "object";
  if (type === undefined) return "anything";
  return schema.format ? `${type} (${schema.format})` : type;
}

function mapText({ properties, additionalProperties }: Schema, schemas: Schemas): string | undefined {
  if (properties || typeof additionalProperties !== "object") return undefined;
  return `map of ${typeText(additionalProperties, schemas)}`;
}

export function fieldsOf({ schema }: Shape): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: schema.required?.includes(name) ?? false,
  }));
}

/** What the elements of an array, of an array of arrays, or of a map are; of anything else, it itself. */
export function innermost(shape: Shape, schemas: Schemas): Shape {
  const { items, properties, additionalProperties } = shape.schema;
  if (shape.type === "array" && items) return innermost(shapeOf(items, schemas), schemas);
  if (shape.type === "object" && !properties && typeof additionalProperties === "object")
    return innermost(shapeOf(additionalProperties, schemas), schemas);
  return shape;
}

function mergeAll(parts: readonly Schema[], schemas: Schemas): Schema {
  const merged = parts.map((part) => shapeOf(part, schemas).schema);
  return {
    ...Object.assign({}, ...merged),
    properties: Object.assign({}, ...merged.map(({ properties }) => properties)) as Record<string, Schema>,
    required: merged.flatMap(({ required = [] }) => required),
  } as Schema;
}
