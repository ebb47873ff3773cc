import { AnalysisError } from "../../analysis-error.ts";
import type { Models } from "../../models/models.ts";
import { gatherDocument } from "./document.ts";
import { format } from "./document-builder.ts";
import type { DocumentEvidence, DocumentPage, TextBlock } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import type { Raster } from "../pixels/raster.ts";
import { orderParagraphs } from "./reading-order.ts";
import { renderPage } from "./render-page.ts";
import { isText } from "../supers/super-lines.ts";
import { extentOf } from "../supers/text-extent.ts";
import { readTiles } from "../supers/text-tiles.ts";

/** A page of print takes the reader some seconds. */
const maxPages = 200;
/** Drawing a page takes half a second: a hundred thousand empty ones are a bomb, not a scan. */
const maxBlanksInARow = 12;
/** Finding the text that a document has takes a fraction of reading what it has not. */
const findingShare = 0.2;
/** Of 255: paper that was scanned is not all of one white. */
const blankSpread = 24;

/** Every page with its text: its own, or what its picture shows where it has none. */
export async function gatherReadDocument(options: FileGatherOptions): Promise<DocumentEvidence | null> {
  const onProgress = (fraction: number) => options.onProgress(findingShare * fraction);
  const document = await gatherDocument({ ...options, onProgress });
  if (document === null || options.mediaType.contentType !== "application/pdf") return document;
  const unread = document.pages.filter(({ needsReading }) => needsReading);
  const chosen = unread.slice(0, maxPages);
  const failed: number[] = [];
  let blanksInARow = 0;
  for (const [index, page] of chosen.entries()) {
    const blocks = await readPage(options, page.page);
    if (blocks === null) failed.push(page.page);
    else addBlocks(page, blocks);
    blanksInARow = blocks?.length === 0 ? blanksInARow + 1 : 0;
    if (blanksInARow === maxBlanksInARow && index + 1 < chosen.length) {
      const limit = `Pages after page ${page.page} were not read from their pictures: ${maxBlanksInARow} in a row had no text.`;
      return { ...document, limits: [...document.limits, limit] };
    }
    options.onProgress(findingShare + (1 - findingShare) * ((index + 1) / chosen.length));
  }
  const limits = [
    ...(unread.length > chosen.length
      ? [
          `Only the first ${format(chosen.length)} of ${format(unread.length)} pages without text were read from their pictures.`,
        ]
      : []),
    ...(failed.length > 0
      ? [`${failed.length === 1 ? "Page" : "Pages"} ${failed.join(", ")} could not be drawn to be read.`]
      : []),
  ];
  return { ...document, limits: [...document.limits, ...limits] };
}

/** Null: the page cannot be drawn. The others may still be fine. */
async function readPage(options: FileGatherOptions, page: number): Promise<TextBlock[] | null> {
  const { file, signal, models } = options;
  const picture = await renderPage({ file, page, signal }).catch((error: unknown) => {
    const isOfThePage =
      error instanceof AnalysisError && ["corrupt_media", "unsupported_media"].includes(error.errorType);
    if (!isOfThePage || signal.aborted) throw error;
    return null;
  });
  if (picture === null) return null;
  return isBlank(picture) ? [] : readPicture(models, picture);
}

async function readPicture(models: Models, picture: Raster): Promise<TextBlock[]> {
  const lines = (await readTiles(models, picture)).filter(isText);
  const pieces = lines.map(({ text, box }) => {
    const { left, right, top, bottom } = extentOf(box);
    const share = (value: number, whole: number) => Number((Math.min(whole, Math.max(0, value)) / whole).toFixed(4));
    const [x, y] = [share(left, picture.width), share(top, picture.height)];
    const region = {
      x,
      y,
      width: Number((share(right, picture.width) - x).toFixed(4)),
      height: Number((share(bottom, picture.height) - y).toFixed(4)),
    };
    return { text, region, isHidden: false };
  });
  return orderParagraphs(pieces).map(({ text, region }) => ({ text, kind: "body", region }));
}

function addBlocks(page: DocumentPage, blocks: TextBlock[]): void {
  page.blocks.push(...blocks);
  page.text = [page.text, ...blocks.map(({ text }) => text)].filter((text) => text !== "").join("\n");
}

function isBlank({ pixels }: Raster): boolean {
  let [least, most] = [255, 0];
  for (const value of pixels) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least < blankSpread;
}
