import type { Issue } from "@greenlit/sdk/src/generated.ts";
import type { ComponentChild } from "preact";

type Options = { quotes: readonly Issue[]; selectedId: string | undefined; onSelect: (id: string) => void };

/** A text with the quotes of findings marked in it. A quote that is not found literally marks nothing. */
export function marked(text: string, { quotes, selectedId, onSelect }: Options): ComponentChild[] {
  const spans = quotes
    .flatMap((issue) => {
      const quote = issue.location?.quote?.replace(/^…|…$/g, "").trim() ?? "";
      const start = quote === "" ? -1 : text.indexOf(quote);
      return start < 0 ? [] : [{ issue, start, end: start + quote.length }];
    })
    .sort((a, b) => a.start - b.start);
  const parts: ComponentChild[] = [];
  let at = 0;
  for (const { issue, start, end } of spans) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <mark
        class={`${issue.severity.toLowerCase()} ${issue.id === selectedId ? "selected" : ""}`}
        onClick={() => onSelect(issue.id)}
      >
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}
