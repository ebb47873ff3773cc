import { html, type Html } from "./html.ts";

/** The Markdown that descriptions use: paragraphs, `##` headings, lists, tables, fences, code, bold, italics and links. */
export function markdown(text: string | undefined, { hasAnchors = false } = {}): Html {
  // Blank lines split blocks, except inside a fence.
  const blocks = (text ?? "").match(/^```[\s\S]*?^```|(?:(?!^```)[^\n]+\n?)+/gm) ?? [];
  return html`${blocks.map((block) => renderBlock(block.trim(), hasAnchors))}`;
}

/** The headings of a text that has anchors, for its navigation. */
export function headingsOf(text: string | undefined): { id: string; title: string }[] {
  return [...(text ?? "").matchAll(heading)].map(([, title = ""]) => ({ id: slug(title), title }));
}

export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

const heading = /^#{2,3} +(.+)$/gm;

function renderBlock(block: string, hasAnchors: boolean): Html {
  if (block.startsWith("```"))
    return html`<pre class="inset"><code>${block.replaceAll(/^```.*\n?|\n?```$/g, "")}</code></pre>`;
  const [first = "", ...rest] = block.split("\n");
  if (/^#{2,3} /.test(first)) {
    const title = first.replace(/^#+ +/, "");
    return html`${hasAnchors ? html`<h3 id="${slug(title)}">${inline(title)}</h3>` : html`<h4>${inline(title)}</h4>`}
    ${rest.length > 0 && renderBlock(rest.join("\n"), hasAnchors)}`;
  }
  if (/^[-*] /.test(first))
    return html`<ul>
      ${items(block, /^[-*] +/m)}
    </ul>`;
  if (/^\d+\. /.test(first))
    return html`<ol>
      ${items(block, /^\d+\. +/m)}
    </ol>`;
  if (first.startsWith("|") && /^\|[-:| ]+\|$/.test(rest[0] ?? "")) return table(first, rest.slice(1));
  return html`<p>${inline(block)}</p>`;
}

function table(head: string, rows: readonly string[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${cells(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
      </tr>
    </thead>
    ${rows.map(
      (row) =>
        html`<tr>
          ${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}
        </tr>`,
    )}
  </table>`;
}

function cells(row: string): string[] {
  return row
    .replaceAll(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function items(block: string, marker: RegExp): Html[] {
  return block
    .split(marker)
    .slice(1)
    .map((item) => html`<li>${inline(item.trim())}</li>`);
}

const span = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(((?:https?:|\/|#)[^\s)]*)\)/g;

function inline(text: string): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(span)) {
    const [whole, code, bold, italic, label, address] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold)}</strong>`);
    else if (italic !== undefined) parts.push(html`<em>${inline(italic)}</em>`);
    else parts.push(html`<a href="${address}">${inline(label ?? "")}</a>`);
    end = match.index + whole.length;
  }
  return html`${[...parts, text.slice(end)]}`;
}
