import { codePanel, jsonPanel } from "./code-panel.ts";
import { curlOf } from "./curl.ts";
import { exampleOf } from "./example.ts";
import { bodyFields, fieldList } from "./field-list.ts";
import { html, type Html } from "./html.ts";
import { markdown, slug } from "./markdown.ts";
import { firstMedia, type OpenApiDocument, type Operation, type Schema } from "./openapi-document.ts";
import type { Schemas } from "./shape.ts";

/** What an operation takes and answers with, beside a request and an answer as examples. */
export function operationSection(document: OpenApiDocument, operation: Operation): Html {
  const schemas = document.components?.schemas ?? {};
  const { id, title, path, description, deprecated } = operation;
  return html`<section class="operation" id="${id}">
    <div class="text">
      <h3><a href="#${id}">${title}</a>${deprecated && html` <span class="deprecated">deprecated</span>`}</h3>
      <p class="endpoint">${methodMark(operation.method)} <code>${pathMark(path)}</code></p>
      ${markdown(description)} ${parameterLists(operation, schemas)} ${requestBody(operation, schemas)}
      ${successes(operation).map(([status, response]) => answer({ status, response, schemas }))}
      ${errorTable(operation)}
    </div>
    <div class="samples">
      ${codePanel("Request", curlOf(document, operation), "shell")} ${answerPanels(operation, schemas)}
    </div>
  </section>`;
}

export function methodMark(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** The id of the section that describes this body of an error. */
export function errorAnchor(schema: Schema): string {
  return `error-body-${slug(schema.$ref?.split("/").at(-1) ?? schema.title ?? "error")}`;
}

export function errorsOf({ responses }: Operation): [status: string, Operation["responses"][string]][] {
  return Object.entries(responses).filter(([status]) => !isSuccess(status));
}

function successes({ responses }: Operation): [status: string, Operation["responses"][string]][] {
  return Object.entries(responses).filter(([status]) => isSuccess(status));
}

function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}

/** Long paths may break after a slash, and parameters stand out. */
function pathMark(path: string): Html[] {
  return path
    .split(/(?<=\/)/)
    .map(
      (part) =>
        html`${part.startsWith("{") ? html`<em>${part.replace("/", "")}</em>${part.endsWith("/") && "/"}` : part}<wbr />`,
    );
}

function parameterLists({ parameters = [] }: Operation, schemas: Schemas): Html[] {
  return [...Map.groupBy(parameters, (parameter) => parameter.in)].map(([place, group]) => {
    const fields = group.map(({ name, required = false, schema, description }) => ({
      name,
      isRequired: required,
      schema: description === undefined ? schema : { ...schema, description },
    }));
    return html`<h4>${place[0]?.toUpperCase()}${place.slice(1)} parameters</h4>
      ${fieldList(fields, { schemas, side: "request", trail: [] })}`;
  });
}

function requestBody({ requestBody }: Operation, schemas: Schemas): Html | undefined {
  const media = firstMedia(requestBody?.content);
  if (!media) return undefined;
  return html`<h4>Request body <small>${media.type}${!requestBody?.required && ", optional"}</small></h4>
    ${bodyFields(media.schema, { schemas, side: "request" })}`;
}

type Answer = { status: string; response: Operation["responses"][string]; schemas: Schemas };

function answer({ status, response, schemas }: Answer): Html {
  const media = firstMedia(response.content);
  const headers = Object.entries(response.headers ?? {}).map(([name, { description, schema }]) => ({
    name,
    isRequired: true,
    schema: description === undefined ? schema : { ...schema, description },
  }));
  return html`<h4>Response ${statusMark(status)}</h4>
    ${markdown(response.description)} ${media && bodyFields(media.schema, { schemas, side: "response" })}
    ${
      headers.length > 0 &&
      html`<details class="headers">
        <summary>Headers</summary>
        ${fieldList(headers, { schemas, side: "response", trail: [] })}
      </details>`
    }`;
}

export function statusMark(status: string): Html {
  return html`<span class="status s${status.slice(0, 1)}">${status}</span>`;
}

function errorTable(operation: Operation): Html | undefined {
  const errors = errorsOf(operation);
  if (errors.length === 0) return undefined;
  return html`<details class="errors">
    <summary>Errors ${errors.map(([status]) => html`${statusMark(status)} `)}</summary>
    <table>
      ${errors.map(([status, { description, content }]) => {
        const schema = firstMedia(content)?.schema;
        const mark = statusMark(status);
        return html`<tr>
          <th scope="row">${schema ? html`<a href="#${errorAnchor(schema)}">${mark}</a>` : mark}</th>
          <td>${markdown(description)}</td>
        </tr>`;
      })}
    </table>
  </details>`;
}

function answerPanels(operation: Operation, schemas: Schemas): Html[] {
  return successes(operation).map(([status, { content }]) => {
    const media = firstMedia(content);
    const caption = html`Response ${statusMark(status)}`;
    if (!media) return html`<p class="bare">${caption} No body.</p>`;
    if (media.type === "application/json") return jsonPanel(caption, exampleOf(media, schemas));
    if (typeof media.example === "string") return codePanel(caption, media.example.trimEnd(), "text");
    return html`<p class="bare">${caption} ${media.type}</p>`;
  });
}
