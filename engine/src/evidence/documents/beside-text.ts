import type { DocumentPage, Omission } from "../evidence.ts";

/** Words that are in the file for people who hear it or point at it, and on no page. */
export type BesideText = { kind: "description" | "tip"; text: string };

const sentences: Readonly<Record<BesideText["kind"], string>> = {
  description: "Descriptions for screen readers whose words are on no page were not judged",
  tip: "Tips that show under the pointer and whose words are on no page were not judged",
};
const maxNamed = 5;
const maxLetters = 120;
const leastWords = 3;

/** What is named of it: mostly it repeats what the page says. */
export function describeBeside(texts: readonly BesideText[], pages: readonly DocumentPage[]): Omission[] {
  if (texts.length === 0) return [];
  const known = lettersOf(pages.map(({ text }) => text).join("\n"));
  const unknown = texts.filter(
    ({ text }) => (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= leastWords && !known.includes(lettersOf(text)),
  );
  return Object.entries(sentences).flatMap(([kind, sentence]) => {
    const own = [...new Set(unknown.filter((text) => text.kind === kind).map(({ text }) => tidy(text)))];
    if (own.length === 0) return [];
    const more = own.length > maxNamed ? ` and ${own.length - maxNamed} more` : "";
    return [{ what: `${sentence}: ${own.slice(0, maxNamed).join(", ")}${more}.` }];
  });
}

/** Speaker notes go out with the file; rules are written for what an audience sees. */
export function describeNotes(pages: readonly DocumentPage[]): Omission[] {
  return pages
    .filter(({ blocks }) => blocks.some(({ kind }) => kind === "note"))
    .map(({ page }) => ({ what: "Speaker notes were read, but no rule judges them.", page }));
}

function tidy(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  return `“${plain.length > maxLetters ? `${plain.slice(0, maxLetters)}…` : plain}”`;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
