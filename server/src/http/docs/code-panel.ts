import { html, type Html } from "./html.ts";

type Language = "json" | "shell" | "text";

/** A block of code with a caption; the page's script gives it a button that copies. */
export function codePanel(caption: Html | string, code: string, language: Language): Html {
  return html`<figure class="panel">
    <figcaption>${caption}</figcaption>
    <pre class="${language}" tabindex="0"><code>${highlight(code, language)}</code></pre>
  </figure>`;
}

export function jsonPanel(caption: Html | string, value: unknown): Html {
  return codePanel(caption, JSON.stringify(value, null, 2), "json");
}

const tokens: Record<Language, RegExp> = {
  json: /(?<key>"(?:\\.|[^"\\])*"(?=:))|(?<string>"(?:\\.|[^"\\])*")|(?<word>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/g,
  text: /(?!)/g,
  shell: /(?<string>'(?:[^']|'\\'')*'|"[^"]*")|(?<key>^(?:curl|export)\b)|(?<word>(?<=\s)--?[a-zA-Z-]+)/gm,
};

function highlight(code: string, language: Language): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(tokens[language])) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    parts.push(
      code.slice(end, match.index),
      html`<span class="${kind}">${language === "shell" ? shellText(match[0]) : match[0]}</span>`,
    );
    end = match.index + match[0].length;
  }
  return html`${[...parts, code.slice(end)]}`;
}

/** Addresses may break after a slash, and the variables to fill in stand out. */
function shellText(text: string): Html[] {
  return text
    .split(/(?<=\/)|(?=\$[A-Z])|(?<=\$[A-Z_0-9]+)(?![A-Z_0-9])/)
    .map((part) => (part.startsWith("$") ? html`<span class="word">${part}</span>` : html`${part}<wbr />`));
}
