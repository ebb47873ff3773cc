import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

const maxNamed = 5;

/** What a reader of the file finds beside its pages and nobody has looked into, as sentences. */
export async function besidePages(pdf: PDFDocumentProxy, text: string): Promise<string[]> {
  const attached: unknown = await pdf.getAttachments().catch(() => null);
  const attachments = [...(attached instanceof Map ? (attached.values() as Iterable<{ filename?: unknown }>) : [])];
  const names = attachments.slice(0, maxNamed).map(({ filename }) => String(filename).slice(0, 60));
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const { IsXFAPresent: hasForm, IsAcroFormPresent: hasFields } = info as Record<string, unknown>;
  const titles = (await unknownTitles(pdf, text)).map((title) => `“${title.slice(0, 80)}”`);
  return [
    ...(names.length === 0 ? [] : [`Files that are attached to the document were not checked: ${names.join(", ")}.`]),
    ...(hasForm === true && hasFields !== true
      ? ["The form (XFA) was not read: its pages are made by the program that opens it."]
      : []),
    ...(titles.length === 0
      ? []
      : [`Bookmarks whose words are on no page were not judged: ${titles.slice(0, maxNamed).join(", ")}.`]),
  ];
}

type Bookmark = { title: string; items: Bookmark[] };

/** Bookmarks mostly repeat headings. */
async function unknownTitles(pdf: PDFDocumentProxy, text: string): Promise<string[]> {
  const outline = (await pdf.getOutline().catch(() => null)) as Bookmark[] | null;
  const known = lettersOf(text);
  const titles: string[] = [];
  const walk = (items: readonly Bookmark[], depth: number) => {
    for (const { title, items: below } of items) {
      if (titles.length > maxNamed) return;
      const hasWords = (title.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3;
      if (hasWords && !known.includes(lettersOf(title))) titles.push(title);
      if (depth < 20) walk(below, depth + 1);
    }
  };
  walk(outline ?? [], 0);
  return titles;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
