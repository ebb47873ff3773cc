export type Schema = {
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
export type Field = { name: string; isRequired: boolean; schema: Schema };
export type TypePrinter = ReturnType<typeof createTypePrinter>;

/** Prints schemas as TypeScript. What has been given a name is printed by its name from then on. */
export function createTypePrinter() {
  const names = new Map<string, string>();
  const sets = new Map<string, string[]>();
  const bases = new Map<string, Set<string>>();

  /** Prints the schema under a name, in full, and by that name wherever the same stands again. */
  function share(name: string, schema: Schema): string {
    const text = typeOf(withoutNull(schema));
    names.set(bare(text), name);
    if (schema.enum) sets.set(name, valuesOf(schema.enum));
    return `export type ${name} = ${text};\n`;
  }

  /** Objects that have all these fields are printed as this one and what they have beyond it. */
  function shareFields(name: string, fields: Field[]): void {
    bases.set(name, new Set(fields.map((field) => bare(print(field)))));
    names.set(bare(printFields(fields)), name);
  }

  function define(name: string, schema: Schema): string {
    const isPlain = schema.type === "object" && schema.properties !== undefined;
    const text = isPlain ? printFields(fieldsOf(schema), "", (base) => isRelated(name, base)) : typeOf(schema);
    return `${comment(schema)}export type ${name} = ${text};\n`;
  }

  function typeOf(schema: Schema | undefined, indent = ""): string {
    if (schema === undefined) return "unknown";
    if (schema.$ref !== undefined) return nameOf(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return unionOf(valuesOf(schema.enum)) + (schema.enum.includes(null) ? " | null" : "");
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
        return /^(\w+|\{[^]*\})$/.test(item) ? `${item}[]` : `(${item})[]`;
      }
      case "object":
        return objectOf(schema, indent);
      default:
        return "unknown";
    }
  }

  /** By the name of the largest shared set, and what it lacks. */
  function unionOf(values: string[]): string {
    const [known] = [...sets]
      .filter(([, set]) => set.length > 3 && set.every((value) => values.includes(value)))
      .toSorted(([, a], [, b]) => b.length - a.length);
    const whole = named(values.join(" | "));
    if (!known || whole !== values.join(" | ")) return whole;
    return [known[0], ...values.filter((value) => !known[1].includes(value))].join(" | ");
  }

  function objectOf(schema: Schema, indent: string): string {
    const { properties, additionalProperties } = schema;
    if (!properties)
      return `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown"}>`;
    return named(printFields(fieldsOf(schema), indent));
  }

  /** `isBase`: which of the shared sets of fields may stand for a part of these. */
  function printFields(fields: Field[], indent = "", isBase: (name: string) => boolean = () => false): string {
    if (fields.length === 0) return "NoFields";
    const own = new Map(fields.map((field) => [bare(print(field)), field]));
    const [base] = [...bases]
      .filter(([name, lines]) => isBase(name) && lines.size < own.size + 1 && [...lines].every((line) => own.has(line)))
      .toSorted(([, a], [, b]) => b.size - a.size);
    const rest = base ? [...own].filter(([line]) => !base[1].has(line)).map(([, field]) => field) : fields;
    const block = `{\n${rest.map((field) => `${print(field, `${indent}  `)}\n`).join("")}${indent}}`;
    if (!base) return block;
    return rest.length === 0 ? base[0] : `${base[0]} & ${block}`;
  }

  function print({ name, isRequired, schema }: Field, indent = ""): string {
    return `${comment(schema, indent)}${indent}${quoted(name)}${isRequired ? "" : "?"}: ${typeOf(schema, indent)};`;
  }

  function named(text: string): string {
    return names.get(bare(text)) ?? text;
  }

  return { share, shareFields, define, typeOf, printFields, named };
}

/** The fields of an object. */
export function fieldsOf({ properties = {}, required, additionalProperties }: Schema): Field[] {
  // Only a request says that nothing else may be in it; without `required` all of it may be left out.
  const isRequest = additionalProperties === false;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required?.includes(name) ?? !isRequest,
    schema,
  }));
}

/** `Error` would hide the language's own. */
export function nameOf(schema: string): string {
  return schema === "Error" ? "ErrorBody" : schema.endsWith("Error") ? `${schema}Body` : schema;
}

export function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** An issue with its history is an issue and more; that a rule has all fields of a precedent is chance. */
function isRelated(name: string, base: string): boolean {
  return name !== base && (name.includes(base) || base.includes(name));
}

function valuesOf(set: unknown[]): string[] {
  return set.filter((value) => value !== null).map((value) => JSON.stringify(value));
}

function withoutNull(schema: Schema): Schema {
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  return {
    ...schema,
    ...(type !== undefined && { type }),
    ...(schema.enum && { enum: schema.enum.filter((value) => value !== null) }),
  };
}

/** Without what says nothing about the type. */
function bare(text: string): string {
  return text.replaceAll(/\/\*\*[^]*?\*\//g, "").replaceAll(/\s+/g, "");
}

function comment({ description }: Schema, indent = ""): string {
  return description === undefined
    ? ""
    : `${indent}/** ${description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`;
}
