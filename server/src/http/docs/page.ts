import { codePanel, jsonPanel } from "./code-panel.ts";
import { curlOf, keyHeader, keyVariable } from "./curl.ts";
import { exampleOf } from "./example.ts";
import { bodyFields } from "./field-list.ts";
import { html, type Html } from "./html.ts";
import { headingsOf, markdown, slug } from "./markdown.ts";
import { firstMedia, operationsOf, type Media, type OpenApiDocument, type Operation } from "./openapi-document.ts";
import { errorAnchor, errorsOf, methodMark, operationSection, statusMark } from "./operation-section.ts";
import { shapeOf } from "./shape.ts";

/** Where the page finds its files, relative to itself: it may be served beneath a path of a proxy. */
export type PageLinks = { style: string; script: string; icon: string; document: string };

type Group = { id: string; title: string; description: string | undefined; operations: Operation[] };

/** The whole reference as one HTML page that reads well before, and without, its script. */
export function renderPage(document: OpenApiDocument, links: PageLinks): string {
  const { title, version } = document.info;
  const groups = groupsOf(document);
  const errors = errorBodies(document);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} API reference</title>
        <link rel="icon" type="image/svg+xml" href="${links.icon}" />
        <link rel="stylesheet" href="${links.style}" />
        <script type="module" src="${links.script}"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="brand" href="#introduction"
            ><img src="${links.icon}" alt="" width="26" height="26" />${title} API</a
          >
          <span class="version">${version}</span>
          <a class="document" href="${links.document}">openapi.json</a>
          <button type="button" id="menu" aria-controls="navigation" aria-expanded="false" hidden>Menu</button>
        </header>
        ${navigation(document, groups, errors.length > 0)}
        <main id="content">
          ${introduction(document, groups)} ${groups.map((group) => groupSection(document, group))}
          ${errors.length > 0 && errorSection(document, errors)}
        </main>
      </body>
    </html>`.markup;
}

function groupsOf(document: OpenApiDocument): Group[] {
  const byTag = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  const declared = document.tags ?? [];
  const order = new Set([...declared.map(({ name }) => name), ...byTag.keys()]);
  return [...order].flatMap((name) => {
    const operations = byTag.get(name);
    const description = declared.find((tag) => tag.name === name)?.description;
    return operations ? [{ id: `tag-${slug(name)}`, title: name, description, operations }] : [];
  });
}

function navigation(document: OpenApiDocument, groups: readonly Group[], hasErrors: boolean): Html {
  return html`<nav id="navigation" aria-label="Reference">
    <input type="search" id="filter" placeholder="Filter  /" aria-label="Filter the operations" hidden />
    <div class="group">
      <a class="title" href="#introduction">Introduction</a>
      ${headingsOf(introductionText(document)).map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
    </div>
    ${groups.map(
      ({ id, title, operations }) =>
        html`<div class="group">
          <a class="title" href="#${id}">${title}</a>
          ${operations.map(
            ({ id, title, method, path }) =>
              html`<a href="#${id}" title="${method} ${path}"><span>${title}</span>${methodMark(method)}</a>`,
          )}
        </div>`,
    )}
    ${hasErrors && html`<div class="group"><a class="title" href="#error-bodies">Error bodies</a></div>`}
  </nav>`;
}

/** Paragraphs that open with a bold word, `**Errors.** …`, become sections of that name. */
function introductionText({ info }: OpenApiDocument): string {
  return (info.description ?? "").replaceAll(/^\*\*([^*\n]+?)\.\*\*\s+/gm, "## $1\n\n");
}

function introduction(document: OpenApiDocument, groups: readonly Group[]): Html {
  const { info, servers, components } = document;
  const first = groups
    .flatMap(({ operations }) => operations)
    .find(({ method, parameters = [] }) => method === "GET" && !parameters.some(({ required }) => required));
  const keys = Object.values(components?.securitySchemes ?? {}).map(({ description }) => description);
  return html`<section class="introduction" id="introduction">
    <div class="text">
      <h1>${info.title} API</h1>
      ${info.summary && html`<p class="lead">${info.summary}</p>`}
      ${markdown(introductionText(document), { hasAnchors: true })}
    </div>
    <div class="samples">
      ${servers?.[0] && codePanel("Base URL", servers[0].url, "shell")}
      ${keyHeader(document) && codePanel("Your key", `export ${keyVariable}="sk_test_…"`, "shell")}
      ${keys.map((description) => html`<div class="note">${markdown(description)}</div>`)}
      ${first && codePanel("First request", curlOf(document, first), "shell")}
    </div>
  </section>`;
}

function groupSection(document: OpenApiDocument, { id, title, description, operations }: Group): Html {
  return html`<section class="tag" id="${id}">
      <h2><a href="#${id}">${title}</a></h2>
      ${markdown(description)}
    </section>
    ${operations.map((operation) => operationSection(document, operation))}`;
}

type ErrorBody = { anchor: string; media: Media; statuses: string[] };

/** Each shape that an error takes, once, with the statuses that have it. */
function errorBodies(document: OpenApiDocument): ErrorBody[] {
  const found = operationsOf(document)
    .flatMap(errorsOf)
    .flatMap(([status, { content }]) => {
      const media = firstMedia(content);
      return media ? [{ status, media, anchor: errorAnchor(media.schema) }] : [];
    });
  return [...Map.groupBy(found, ({ anchor }) => anchor)].flatMap(([anchor, group]) => {
    const statuses = [...new Set(group.map(({ status }) => status))].toSorted();
    return group[0] ? [{ anchor, media: group[0].media, statuses }] : [];
  });
}

function errorSection(document: OpenApiDocument, errors: readonly ErrorBody[]): Html {
  const schemas = document.components?.schemas ?? {};
  return html`<section class="tag" id="error-bodies">
      <h2><a href="#error-bodies">Error bodies</a></h2>
      <p>What a response with one of these statuses holds. Each operation lists the errors that it may meet.</p>
    </section>
    ${errors.map(
      ({ anchor, media, statuses }) =>
        html`<section class="operation" id="${anchor}">
          <div class="text">
            <h3>
              <a href="#${anchor}">${shapeOf(media.schema, schemas).name ?? "Error"}</a>
              ${statuses.map((status) => html`${statusMark(status)} `)}
            </h3>
            ${bodyFields(media.schema, { schemas, side: "response" })}
          </div>
          <div class="samples">${jsonPanel("Body", exampleOf(media, schemas))}</div>
        </section>`,
    )}`;
}
