import { AnalysisError } from "../../analysis-error.ts";
import type { DocumentEvidence, DocumentPage, Omission, Region, TextBlock, TextLie } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { format, visibleKinds } from "./document-builder.ts";
import { compareLine, type DoubtedLine, linesToCompare, readPlace } from "./font-check.ts";
import type { DraftRun, PageDraft } from "./page-draft.ts";
import { readPictureText } from "./picture-text.ts";
import { asBlock, joinLines, orderParagraphs, type Paragraph } from "./reading-order.ts";
import { type PagePictures, renderPageTwice } from "./render-page.ts";
import { inkOf } from "./text-ink.ts";
import { unreadLine } from "../supers/unread-lines.ts";

/** A page of print takes the reader some seconds. */
const maxPages = 200;
/** Drawing a page takes half a second: a hundred thousand empty ones are a bomb, not a scan. */
const maxBlanksInARow = 12;
/** Lines of a page. */
const maxUnnamed = 40;

type Tools = Pick<FileGatherOptions, "file" | "signal" | "models" | "onProgress">;

/** What the drawn pages of a PDF show, where that is more or other than the text that the file gives for them. */
export async function readDrawnPages(
  document: DocumentEvidence,
  drafts: readonly PageDraft[],
  tools: Tools,
): Promise<DocumentEvidence> {
  const draftOf = new Map(drafts.map((draft) => [draft.page, draft]));
  const doubted = Map.groupBy(linesToCompare(drafts), ({ page }) => page);
  const lying = new Set<string>();
  const isWanted = ({ page, needsReading }: DocumentPage) => {
    const draft = draftOf.get(page);
    const hasUnnamed = draft?.runs.some(({ isUnnamed }) => isUnnamed) === true;
    return needsReading || doubted.has(page) || hasUnnamed || draft?.isSuspect === true || draft?.hasPictures === true;
  };
  const wanted = document.pages.filter(isWanted);
  const chosen = wanted.slice(0, maxPages);
  const found: FoundPage[] = [];
  const limits: string[] = [];
  const failed: number[] = [];
  let blanksInARow = 0;
  for (const [index, page] of chosen.entries()) {
    const pictures = await draw(tools, page.page);
    if (pictures === null) failed.push(page.page);
    else {
      const draft = draftOf.get(page.page);
      const lies = await findLies(tools, pictures, doubted.get(page.page) ?? []);
      for (const { font } of lies) lying.add(font);
      found.push(await readPage(tools, { page, draft, pictures, lies }));
    }
    blanksInARow = pictures !== null && found.at(-1)?.isEmpty === true ? blanksInARow + 1 : 0;
    if (blanksInARow === maxBlanksInARow && index + 1 < chosen.length) {
      limits.push(
        `Pages after page ${page.page} were not read from their pictures: ${maxBlanksInARow} in a row had no text.`,
      );
      break;
    }
    tools.onProgress((index + 1) / chosen.length);
  }
  if (wanted.length > chosen.length) {
    limits.push(
      `Only the first ${format(chosen.length)} of ${format(wanted.length)} pages with pictures or doubtful text were looked at as they are drawn.`,
    );
  }
  if (failed.length > 0) {
    limits.push(`${failed.length === 1 ? "Page" : "Pages"} ${failed.join(", ")} could not be drawn to be read.`);
  }
  const lies = lying.size === 0 ? [] : await readLyingPages({ document, drafts, lying, found, tools });
  const omissions = [...(document.omissions ?? []), ...found.flatMap((page) => page.omissions)];
  return {
    ...document,
    limits: [...document.limits, ...limits],
    ...(lies.length > 0 && { lies }),
    ...(omissions.length > 0 && { omissions }),
  };
}

type FoundLie = DoubtedLine & { shows: string };

type FoundPage = { page: number; isEmpty: boolean; lies: FoundLie[]; omissions: Omission[] };

/** Null: the page cannot be drawn. The others may still be fine. */
async function draw({ file, signal }: Tools, page: number): Promise<PagePictures | null> {
  return renderPageTwice({ file, page, signal }).catch((error: unknown) => {
    const isOfThePage =
      error instanceof AnalysisError && ["corrupt_media", "unsupported_media"].includes(error.errorType);
    if (!isOfThePage || signal.aborted) throw error;
    return null;
  });
}

async function findLies({ models }: Tools, pictures: PagePictures, lines: DoubtedLine[]): Promise<FoundLie[]> {
  const lies: FoundLie[] = [];
  for (const line of lines) {
    // What covers a text is no other reading of it.
    if (!inkOf(pictures, line.region).isSeen) continue;
    const compared = await compareLine(models, { picture: pictures.whole, line });
    if (compared?.isSame === false) lies.push({ ...line, shows: compared.shows });
  }
  return lies;
}

/** Decides what of the page's text is seen, and adds what its pictures say. */
async function readPage(
  { models }: Tools,
  options: { page: DocumentPage; draft: PageDraft | undefined; pictures: PagePictures; lies: FoundLie[] },
): Promise<FoundPage> {
  const { page, draft, pictures, lies } = options;
  if (draft !== undefined && (draft.isSuspect || draft.hasPictures)) {
    replaceBlocks(page, [...textBlocks(draft, pictures), ...draft.attached]);
  }
  const isRead = page.needsReading || draft?.hasPictures === true;
  const shown = isRead ? await readPictureText(models, pictures.withoutText) : { paragraphs: [], omissions: [] };
  addBlocks(page, shown.paragraphs);
  const unnamed = await readUnnamed(models, draft, pictures);
  addBlocks(page, unnamed.paragraphs);
  const omissions = [...shown.omissions, ...unnamed.omissions].map((omission) => ({ ...omission, page: page.page }));
  const isEmpty = shown.paragraphs.length === 0 && omissions.length === 0 && page.text === "";
  return { page: page.page, isEmpty, lies, omissions };
}

/** Lines of which the file does not say what letters they are, as they are drawn. */
async function readUnnamed(
  models: Tools["models"],
  draft: PageDraft | undefined,
  pictures: PagePictures,
): Promise<{ paragraphs: { text: string; region: Region }[]; omissions: Omission[] }> {
  const runs = draft?.runs.filter(({ isUnnamed, isOutside }) => isUnnamed && !isOutside) ?? [];
  const paragraphs: { text: string; region: Region }[] = [];
  const omissions: Omission[] = [];
  for (const [index, { region }] of joinLines(runs).entries()) {
    if (!inkOf(pictures, region).isSeen) continue;
    const text = index < maxUnnamed ? await readPlace(models, pictures.whole, region) : null;
    if (text === null) omissions.push({ what: unreadLine, region });
    else paragraphs.push({ text, region });
  }
  return { paragraphs, omissions };
}

function textBlocks({ runs }: PageDraft, pictures: PagePictures): TextBlock[] {
  const pieces = runs
    .filter(({ isOutside }) => !isOutside)
    .map((run): DraftRun => {
      const ink = inkOf(pictures, run.region);
      const isTooSmall = (run.print?.sizePoints ?? 12) < 1.5;
      const contrastRatio = ink.contrastRatio ?? run.print?.contrastRatio ?? null;
      const print = run.print === undefined ? undefined : { ...run.print, contrastRatio };
      return { ...run, isHidden: !ink.isSeen || isTooSmall, print };
    });
  const outside = runs.filter(({ isOutside }) => isOutside).map(({ text }) => text);
  const inside = orderParagraphs(pieces).map(({ text, region, isHidden, print }): TextBlock => ({
    text: text.trim(),
    kind: isHidden ? "hidden" : "body",
    region,
    ...asBlock(print),
    ...(isHidden && { why: "not to be seen on the drawn page" }),
  }));
  if (outside.length === 0) return inside;
  return [...inside, { text: outside.join("\n"), kind: "hidden", region: null, why: "off the page" }];
}

/** Where a font's map lies, the page is what a reader makes of it when it is drawn. */
async function readLyingPages(options: {
  document: DocumentEvidence;
  drafts: readonly PageDraft[];
  lying: ReadonlySet<string>;
  found: readonly FoundPage[];
  tools: Tools;
}): Promise<TextLie[]> {
  const { document, drafts, lying, found, tools } = options;
  const concerned = drafts.filter(({ runs }) => runs.some(({ font }) => lying.has(font))).slice(0, maxPages);
  for (const { page: number, attached } of concerned) {
    const page = document.pages[number - 1];
    const pictures = page === undefined ? null : await draw(tools, number);
    if (page === undefined || pictures === null) continue;
    const { paragraphs } = await readPictureText(tools.models, pictures.whole);
    const hidden = page.blocks.filter(({ kind }) => kind === "hidden");
    replaceBlocks(page, [...hidden, ...attached]);
    addBlocks(page, paragraphs);
  }
  return found.flatMap(({ page, lies }) =>
    lies.map(({ text, shows, region }) => ({ page, says: text.trim(), shows, region })),
  );
}

function replaceBlocks(page: DocumentPage, blocks: TextBlock[]): void {
  page.blocks = blocks.filter(({ text }) => text.trim() !== "");
  page.text = page.blocks
    .filter(({ kind }) => visibleKinds.has(kind))
    .map(({ text }) => text)
    .join("\n");
}

function addBlocks(page: DocumentPage, paragraphs: readonly Pick<Paragraph, "text" | "region">[]): void {
  page.blocks.push(
    ...paragraphs.map(({ text, region }): TextBlock => ({ text, kind: "body", region, isPicture: true })),
  );
  page.text = [page.text, ...paragraphs.map(({ text }) => text)].filter((text) => text !== "").join("\n");
}
