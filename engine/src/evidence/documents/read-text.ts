import { AnalysisError } from "../../analysis-error.ts";
import { buildDocument } from "./document-builder.ts";
import type { DocumentEvidence } from "../evidence.ts";

/** Plain text has no pages; these are about as long as a printed one, so that a place can be named. */
const pageCharacters = 4_000;

/** TXT, Markdown and CSV. A block is a paragraph, in CSV a row. */
export function readText(bytes: Uint8Array, options: { isTable: boolean }): DocumentEvidence {
  const document = buildDocument();
  const whole = decodeText(bytes);
  for (const what of unreadIn(whole)) document.omit({ what });
  const pages = splitPages(whole);
  for (const [index, text] of pages.entries()) {
    document.addPage(index + 1);
    const blocks = options.isTable ? text.split("\n") : text.split(/\n[ \t]*\n/);
    for (const block of blocks) document.addBlock(index + 1, { text: block, kind: "body", region: null });
    if (document.isFull()) break;
  }
  return document.finish();
}

/** Markdown and HTML show pictures that lie elsewhere; RTF is no plain text. */
function unreadIn(text: string): string[] {
  // A plain text has neither, and to compile the expressions takes longer than to read it.
  const pictures = [
    ...(text.includes("![") ? text.matchAll(/!\[[^\]\n]{0,500}\]\(\s*<?([^\s)>]{1,200})/gu) : []),
    ...(text.includes("<")
      ? text.matchAll(/<(?:img|video|audio|iframe|embed|source)\b[^>]{0,500}?\ssrc\s*=\s*["']?([^\s"'>]{1,200})/giu)
      : []),
  ].map(([, target = ""]) => (/^data:/i.test(target) ? "inside the text" : target.slice(0, 80)));
  return [
    ...Array.from(new Set(pictures), (target) => `A picture that the text shows (${target}) was not read.`),
    ...(text.startsWith("{\\rtf")
      ? ["The file is RTF: it was judged as plain text, with its codes between the words."]
      : []),
  ];
}

/**
 * UTF-8, UTF-16 with a mark or recognisable without one, else windows-1252, which has a meaning for every byte. Lines
 * end in `\n` whatever they ended in.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes).replaceAll(/\r\n?/g, "\n");
  const sample = text.slice(0, 65_536);
  if (sample.includes("\0")) throw new AnalysisError("corrupt_media", "The file is not text. Save it as UTF-8 text.");
  return text;
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (let index = 0; index < head.length; index += 1) {
    if (head[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  // Western text in UTF-16 has a zero in every other byte.
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  if (even > head.length / 4 && odd === 0) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** At form feeds, else at the last line end before a page is full, else (one endless line) anywhere. */
function splitPages(text: string): string[] {
  const pages: string[] = [];
  for (const part of text.split("\f")) {
    let start = 0;
    while (part.length - start > pageCharacters) {
      const lineEnd = part.lastIndexOf("\n", start + pageCharacters);
      const end = lineEnd > start ? lineEnd + 1 : start + pageCharacters;
      pages.push(part.slice(start, end));
      start = end;
    }
    pages.push(part.slice(start));
  }
  return pages;
}
