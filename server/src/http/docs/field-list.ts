import { html, type Html } from "./html.ts";
import { markdown } from "./markdown.ts";
import type { Schema } from "./openapi-document.ts";
import { fieldsOf, innermost, shapeOf, typeText, type Field, type Schemas, type Shape } from "./shape.ts";

type Context = {
  schemas: Schemas;
  /** A request says what must be sent, an answer what may be missing. */
  side: "request" | "response";
  /** The components around this one: one that holds itself is not opened again. */
  trail: readonly string[];
};

/** The fields of a body, with what they hold folded beneath them. */
export function bodyFields(schema: Schema, { schemas, side }: Omit<Context, "trail">): Html {
  const shape = shapeOf(schema, schemas);
  const isPlainObject = shape.type === "object" && shape.schema.properties !== undefined && !shape.isNullable;
  return html`${!isPlainObject && html`<p class="whole">${typeMark(schema, schemas)}</p>`}
  ${insideOf(shape, { schemas, side, trail: [] })}`;
}

export function fieldList(fields: readonly Field[], context: Context): Html {
  return html`<ul class="fields">
    ${fields.map((field) => html`<li>${fieldEntry(field, context)}</li>`)}
  </ul>`;
}

function fieldEntry({ name, schema, isRequired }: Field, context: Context): Html {
  const { schemas, side } = context;
  const shape = shapeOf(schema, schemas);
  const inside = insideOf(shape, context);
  return html`<div class="field">
      <code class="name">${name}</code> ${typeMark(schema, schemas)}
      ${side === "request" && isRequired && html`<span class="required">required</span>`}
      ${side === "response" && !isRequired && html`<span class="optional">optional</span>`}
      ${shape.schema.deprecated && html`<span class="deprecated">deprecated</span>`}
    </div>
    ${markdown(shape.schema.description)} ${limitsOf(shape)} ${valuesOf(innermost(shape, schemas))}
    ${
      inside &&
      html`<details>
        <summary>${insideLabel(shape, schemas)}</summary>
        ${inside}
      </details>`
    }`;
}

function typeMark(schema: Schema, schemas: Schemas): Html {
  return html`<span class="type">${typeText(schema, schemas)}</span>`;
}

function insideLabel(shape: Shape, schemas: Schemas): string {
  const inner = innermost(shape, schemas);
  const subject = inner.name ?? (shape.type === "array" ? "each element" : "object");
  return inner.variants.length > 0 ? `${inner.variants.length} variants` : `Fields of ${subject}`;
}

function insideOf(shape: Shape, { trail, ...context }: Context): Html | undefined {
  const inner = innermost(shape, context.schemas);
  if (inner.name !== undefined && trail.includes(inner.name)) return undefined;
  const within = { ...context, trail: inner.name === undefined ? trail : [...trail, inner.name] };
  if (inner.variants.length > 0) return variantList(inner.variants, within);
  const fields = fieldsOf(inner);
  return fields.length > 0 ? fieldList(fields, within) : undefined;
}

/** Undefined when the names of the variants say all. */
function variantList(variants: readonly Schema[], context: Context): Html | undefined {
  const bodies = variants.map((variant) => insideOf(shapeOf(variant, context.schemas), context));
  if (bodies.every((body) => body === undefined)) return undefined;
  return html`<ol class="variants">
    ${variants.map((variant, index) => html`<li>${typeMark(variant, context.schemas)} ${bodies[index]}</li>`)}
  </ol>`;
}

const manyValues = 8;

function valuesOf({ schema }: Shape): Html | undefined {
  const values = schema.enum?.filter((value) => value !== null) ?? [];
  if (values.length === 0) return undefined;
  const list = values.map((value) => html`<code>${plain(value)}</code> `);
  if (values.length <= manyValues) return html`<p class="values">One of ${list}</p>`;
  return html`<details>
    <summary>${values.length} values</summary>
    <p class="values">${list}</p>
  </details>`;
}

function limitsOf({ schema }: Shape): Html | undefined {
  const limits = [
    schema.default !== undefined && html`Default <code>${plain(schema.default)}</code>`,
    range(schema.minimum, schema.maximum, ""),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minItems, schema.maxItems, "element"),
    schema.pattern !== undefined && html`matches <code>${schema.pattern}</code>`,
  ].filter((limit) => limit !== false);
  if (limits.length === 0) return undefined;
  return html`<p class="limits">${limits.map((limit, index) => html`${index > 0 && " · "}${limit}`)}</p>`;
}

function range(min: number | undefined, max: number | undefined, unit: string): string | false {
  const count = (number: number) => (unit ? `${number} ${unit}${number === 1 ? "" : "s"}` : String(number));
  if (min !== undefined && max !== undefined) return min === max ? `exactly ${count(min)}` : `${min} to ${count(max)}`;
  if (min !== undefined) return `at least ${count(min)}`;
  return max !== undefined && `at most ${count(max)}`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
