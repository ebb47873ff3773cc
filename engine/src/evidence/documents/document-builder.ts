import { type BesideText, describeBeside, describeNotes } from "./beside-text.ts";
import type { Cue, DocumentEvidence, DocumentPage, Omission, TextBlock } from "../evidence.ts";

/** What a person may send is larger than what anybody reviews: past these a document is cut off, and says so. */
export const documentLimits = {
  pages: 2_000,
  characters: 4_000_000,
  blocks: 100_000,
  cues: 50_000,
};

const maxOmissions = 200;

/** Kinds that stand on the page as it is shown or printed. The others are in the blocks only, never in a page's text. */
export const visibleKinds: ReadonlySet<TextBlock["kind"]> = new Set([
  "body",
  "header",
  "footer",
  "footnote",
  "inserted",
  "cell",
]);

export type DocumentBuilder = {
  /**
   * Blocks keep the order they are added in. Pages between that get none are there too, empty. `joiner` stands before it
   * in the page's text: "" where the pieces of one sentence differ in kind, or a phrase across them would not be found.
   */
  addBlock: (page: number, block: TextBlock, options?: { joiner?: string }) => void;
  addPage: (page: number, options?: { needsReading?: boolean }) => void;
  addCue: (cue: Cue) => void;
  limit: (reason: string) => void;
  /** A part that was not read, with its place. */
  omit: (omission: Omission) => void;
  /** What stands on no page, and is named for that. */
  addBeside: (texts: readonly BesideText[]) => void;
  /** Nothing more fits: a reader may stop. */
  isFull: () => boolean;
  finish: (options?: { cues?: boolean }) => DocumentEvidence;
};

/** Collects pages within the limits above, whatever format they come from. */
export function buildDocument(): DocumentBuilder {
  const pages: (DocumentPage & { parts: string[] })[] = [];
  const cues: Cue[] = [];
  const limits = new Set<string>();
  const omissions: Omission[] = [];
  const beside: BesideText[] = [];
  let characters = 0;
  let blocks = 0;
  let isFull = false;

  function pageAt(page: number) {
    while (pages.length < page) {
      pages.push({ page: pages.length + 1, text: "", blocks: [], needsReading: false, parts: [] });
    }
    return pages[page - 1];
  }

  function fits(text: string): boolean {
    if (isFull) return false;
    characters += text.length;
    blocks += 1;
    if (characters <= documentLimits.characters && blocks <= documentLimits.blocks) return true;
    isFull = true;
    limits.add(
      characters > documentLimits.characters
        ? `Only the first ${format(documentLimits.characters)} characters were read.`
        : `Only the first ${format(documentLimits.blocks)} pieces of text were read.`,
    );
    return false;
  }

  return {
    addBlock(page, block, options = {}) {
      const untrimmed = tidy(block.text);
      const text = untrimmed.trim();
      if (text === "" || page > documentLimits.pages || !fits(text)) return;
      const target = pageAt(page);
      if (target === undefined) return;
      target.blocks.push({ ...block, text });
      if (visibleKinds.has(block.kind)) {
        if (target.parts.length > 0) target.parts.push(options.joiner ?? "\n");
        target.parts.push(untrimmed);
      }
    },
    addPage(page, options = {}) {
      if (page > documentLimits.pages) return;
      const target = pageAt(page);
      if (target !== undefined && options.needsReading === true) target.needsReading = true;
    },
    addCue(cue) {
      if (cues.length >= documentLimits.cues) {
        isFull = true;
        limits.add(`Only the first ${format(documentLimits.cues)} cues were read.`);
        return;
      }
      if (fits(cue.text)) cues.push(cue);
    },
    limit: (reason) => void limits.add(reason),
    omit: (omission) => {
      if (omissions.length < maxOmissions) omissions.push(omission);
    },
    addBeside: (texts) => {
      beside.push(...texts.slice(0, maxOmissions - beside.length));
    },
    isFull: () => isFull,
    finish(options = {}) {
      const read = pages.map(({ parts, ...page }) => ({ ...page, text: parts.join("").trim() }));
      const all = [...omissions, ...describeBeside(beside, read), ...describeNotes(read)];
      return {
        pages: read,
        cues: options.cues === true ? cues : null,
        limits: [...limits],
        ...(all.length > 0 && { omissions: all }),
      };
    },
  };
}

/** 2000 → "2,000", whatever the machine's language. */
export function format(count: number): string {
  return count.toLocaleString("en-GB");
}

/** Control characters have no place in JSON that people read; a lone surrogate would not survive UTF-8. */
function tidy(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g, "");
}
