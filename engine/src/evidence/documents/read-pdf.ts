import { createReadStream } from "node:fs";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { buildDocument, type DocumentBuilder, documentLimits, format } from "./document-builder.ts";
import type { TextBlock } from "../evidence.ts";
import { AnalysisError } from "../../analysis-error.ts";
import { limitInflating } from "./inflate-budget.ts";
import { limitOperators } from "./operator-budget.ts";
import { openPdf } from "./open-pdf.ts";
import { createActualTextFinder } from "./pdf-actual-text.ts";
import { type PageAnnotations, readAnnotations } from "./pdf-annotations.ts";
import type { DocumentDraft, DraftRun, PageDraft } from "./page-draft.ts";
import { placePieces, placeRun, readItems } from "./pdf-pieces.ts";
import { type PdfDrawing, readRuns } from "./pdf-runs.ts";
import { asBlock, orderParagraphs } from "./reading-order.ts";
import { besidePages } from "./pdf-beside-pages.ts";
import { readsLikeWords } from "./word-likeness.ts";

const pageInflateBytes = 16 * 2 ** 20;
/** The operators of a page take many times its size in memory: a map or plan is not searched for invisible text. */
const invisibleInflateBytes = 4 * 2 ** 20;
const readingSeconds = 60;
/** A map of a city has half a million operators, and a look at the clock stands for a hundred of them or a form. */
const pageBudget = { looks: 30_000, cpuSeconds: 5 };
/** pdf.js walks the list of pages from its start for every page; past this length that alone takes minutes. */
const hugePages = { from: 20_000, read: 50 };
/** A page number on a scanned page does not make it readable. */
const fewCharacters = 40;
/** A chart or a logo has some curves; a line of letters drawn as shapes has hundreds. */
const manyCurves = 150;
/** A table has some shaded cells; a small QR code that is drawn as squares has more. */
const manyShapes = 100;
/** What is looked at again is drawn, which takes half a second a page. */
const maxDrafts = 300;
/** A page of many thousand commands is a plan or a map. */
const maxDraftRuns = 10_000;

/** PDF: text with its place, what is attached to the page, and what nobody would see. */
export async function readPdf(file: string, onProgress: (fraction: number) => void): Promise<DocumentDraft> {
  const actualTexts = createActualTextFinder();
  const inflating = limitInflating(actualTexts);
  inflating.renew(pageInflateBytes);
  let hasImages = false;
  const operators = limitOperators(pageBudget);
  const { pdf } = await openPdf(file, { onImage: () => (hasImages = true) });
  const document = buildDocument();
  const pages = pdf.numPages > hugePages.from ? hugePages.read : Math.min(pdf.numPages, documentLimits.pages);
  if (pdf.numPages > pages) {
    document.limit(`Only the first ${format(pages)} of ${format(pdf.numPages)} pages were read.`);
  }
  const deadline = performance.now() + readingSeconds * 1000;
  const pageDrafts: PageDraft[] = [];
  let unreadable = 0;
  for (let number = 1; number <= pages && !document.isFull(); number += 1) {
    if (performance.now() > deadline) {
      document.limit(`Only the first ${format(number - 1)} of ${format(pdf.numPages)} pages were read: time was up.`);
      break;
    }
    inflating.renew(pageInflateBytes);
    operators.renew();
    hasImages = false;
    document.addPage(number);
    const page = await openPage(pdf, number);
    const isRead =
      page !== null && (await readPage({ page, number, document, pageDrafts, hasImages: () => hasImages, inflating }));
    if (operators.isExceeded()) throw tooMuch(number);
    if (!isRead) unreadable += 1;
    if (inflating.isExceeded()) {
      document.limit(
        `Page ${format(number)} unpacks to more than ${pageInflateBytes / 2 ** 20} MB: only its start was read.`,
      );
    }
    onProgress(number / pages);
  }
  if (unreadable > 0)
    document.limit(`${format(unreadable)} damaged ${unreadable === 1 ? "page" : "pages"} could not be read.`);
  const plain = actualTexts.open();
  for await (const piece of createReadStream(file)) plain.add(piece as Buffer);
  plain.end();
  document.addBeside(actualTexts.texts().map((text) => ({ kind: "description", text })));
  const found = document.finish();
  const beside = await besidePages(pdf, found.pages.map(({ text }) => text).join("\n"));
  const omissions = [...(found.omissions ?? []), ...beside.map((what) => ({ what }))];
  return { ...found, ...(omissions.length > 0 && { omissions }), pageDrafts, pictures: [] };
}

/** An error, not a page left out: what nobody read would pass as clean. */
function tooMuch(page: number): AnalysisError {
  return new AnalysisError(
    "unsupported_media",
    `Page ${format(page)} of the PDF is too complex to read: it has millions of drawing commands, or commands nested too deep. Flatten or simplify it and send it again.`,
  );
}

/** Null: the page is damaged. The others may still be fine. */
function openPage(pdf: PDFDocumentProxy, number: number): Promise<PDFPageProxy | null> {
  return pdf.getPage(number).catch(() => null);
}

async function readPage(options: {
  page: PDFPageProxy;
  number: number;
  document: DocumentBuilder;
  pageDrafts: PageDraft[];
  hasImages: () => boolean;
  inflating: { usedBytes: () => number };
}): Promise<boolean> {
  const { page, number, document } = options;
  try {
    const { items, isCut } = await readItems(page);
    if (isCut) document.limit(`Page ${format(number)} holds more text than is read of one page.`);
    // Reading the text unpacked the page, so its size is known before all its operators are held at once.
    const isSmall = !isCut && options.inflating.usedBytes() <= invisibleInflateBytes;
    const operators = isSmall ? await page.getOperatorList() : null;
    if (!isSmall) document.limit(`Page ${format(number)} was too large to be searched for invisible text.`);
    const hasImages = options.hasImages();
    const drawing: PdfDrawing =
      operators === null
        ? { runs: [], curves: 0, shapes: 0, hasTiles: false, annotated: [] }
        : readRuns(operators, { hasImages, view: page.view });
    const outside = drawing.runs.filter(({ isOutside }) => isOutside).map(({ text }) => text);
    let visible = 0;
    for (const { text, region, isHidden, print } of orderParagraphs(placePieces(page, items, drawing.runs))) {
      if (!isHidden) visible += text.trim().length;
      document.addBlock(number, { text, kind: isHidden ? "hidden" : "body", region: round(region), ...asBlock(print) });
    }
    document.addBlock(number, { text: outside.join("\n"), kind: "hidden", region: null, why: "off the page" });
    document.addBeside((await readDescriptions(page)).map((text) => ({ kind: "description", text })));
    const { blocks, omissions } = await readAttached(page);
    const attached = [...blocks, ...drawnBeside(drawing.annotated, blocks)];
    for (const what of omissions) document.omit({ what, page: number });
    for (const annotation of attached) {
      if (annotation.kind === "body") visible += annotation.text.length;
      document.addBlock(number, annotation);
    }
    const draft = draftOf({ page, number, drawing, hasImages, attached });
    if (draft !== null && options.pageDrafts.length < maxDrafts) options.pageDrafts.push(draft);
    // A page whose text was not read to its end is still held by pdf.js.
    if (!isCut) page.cleanup();
    document.addPage(number, { needsReading: visible === 0 || (visible < fewCharacters && hasImages) });
    return true;
  } catch {
    document.addPage(number, { needsReading: true });
    return false;
  }
}

/** Null: everything on the page is plain to see, and nothing but its text says anything. */
function draftOf(options: {
  page: PDFPageProxy;
  number: number;
  drawing: PdfDrawing;
  hasImages: boolean;
  attached: TextBlock[];
}): PageDraft | null {
  const { page, number, drawing, hasImages, attached } = options;
  const { runs, curves, shapes, hasTiles } = drawing;
  const hasPictures = hasImages || hasTiles || curves >= manyCurves || shapes >= manyShapes;
  const isSuspect = runs.some((run) => run.isSuspect && !run.isOutside);
  const isDoubted =
    runs.some(({ isMapped, isUnnamed }) => isMapped || isUnnamed) ||
    !readsLikeWords(runs.map(({ text }) => text).join(" "));
  if ((!hasPictures && !isSuspect && !isDoubted) || runs.length > maxDraftRuns) return null;
  const drafts = runs.map((run): DraftRun => {
    const { isOutside, isMapped, isUnnamed, font } = run;
    const piece = placeRun(page, run);
    return { ...piece, region: round(piece.region), isOutside, isMapped, isUnnamed, font };
  });
  return { page: number, runs: drafts, attached, hasPictures, isSuspect };
}

/** Stamps and buttons show words that are neither a comment nor the value of a field. */
function drawnBeside(annotated: readonly string[], blocks: readonly TextBlock[]): TextBlock[] {
  const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const known = new Set(blocks.filter(({ kind }) => kind === "body").map(({ text }) => lettersOf(text)));
  return annotated
    .filter((text) => lettersOf(text) !== "" && !known.has(lettersOf(text)))
    .map((text) => ({ text, kind: "body", region: null }));
}

type StructNode = { alt?: string; children?: StructNode[] };

/** What screen readers say in place of a picture or of text (`Alt` and `ActualText` of the structure). */
async function readDescriptions(page: PDFPageProxy): Promise<string[]> {
  const tree = (await page.getStructTree().catch(() => null)) as StructNode | null;
  const found: string[] = [];
  const walk = ({ alt, children }: StructNode) => {
    if (alt !== undefined) found.push(alt);
    for (const child of children ?? []) walk(child);
  };
  if (tree !== null) walk(tree);
  return found;
}

async function readAttached(page: PDFPageProxy): Promise<PageAnnotations> {
  const { blocks, ...rest } = await readAnnotations(page);
  const placed = blocks.map((annotation) => ({
    ...annotation,
    region: annotation.region === null ? null : round(annotation.region),
  }));
  return { ...rest, blocks: placed };
}

function round(region: { x: number; y: number; width: number; height: number }) {
  const four = (value: number) => Number(value.toFixed(4));
  return { x: four(region.x), y: four(region.y), width: four(region.width), height: four(region.height) };
}
