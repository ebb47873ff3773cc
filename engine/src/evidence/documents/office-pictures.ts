import { fileURLToPath } from "node:url";
import { AnalysisError } from "../../analysis-error.ts";
import { runWorker } from "../../jail/worker.ts";
import type { DocumentEvidence, DocumentPage, Omission, Region, TextBlock } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { decodeRaster, type EncodedRaster, type Raster } from "../pixels/raster.ts";
import { visibleKinds } from "./document-builder.ts";
import type { PictureDraft } from "./page-draft.ts";
import { readPictureText } from "./picture-text.ts";

/** What office-picture-worker.ts is asked, and what it answers: null for a format that it cannot draw; an SVG has words instead. */
export type OfficePictureRequest = { part: string };
export type OfficePictureAnswer = { raster: EncodedRaster | null; words?: string[] };

/** A picture takes the reader a second; a catalogue of thousands is read in part, and says so. */
const maxPictures = 150;

type Tools = Pick<FileGatherOptions, "file" | "signal" | "models" | "onProgress">;

/** Adds the text of the pictures in a DOCX, PPTX or XLSX to the pages that show them. */
export async function readOfficePictures(
  document: DocumentEvidence,
  pictures: readonly PictureDraft[],
  tools: Tools,
): Promise<DocumentEvidence> {
  const groups = [...Map.groupBy(pictures, ({ part }) => part)];
  const omissions: Omission[] = [];
  for (const [index, [part, uses]] of groups.slice(0, maxPictures).entries()) {
    const picture = await drawPart(tools, part);
    if (picture !== null && "words" in picture) {
      for (const { page, kind } of uses) addWords(document.pages[page - 1], picture.words, kind);
      continue;
    }
    if (picture === null) {
      omissions.push(...uses.map(({ page }) => ({ what: `A picture (${formatOf(part)}) was not read.`, page })));
      continue;
    }
    const { paragraphs, omissions: unread } = await readPictureText(tools.models, picture);
    for (const { page: number, region, kind } of uses) {
      omissions.push(...unread.map(({ what }) => ({ what, page: number })));
      const page = document.pages[number - 1];
      if (page === undefined) continue;
      const blocks = paragraphs.map((found): TextBlock => ({
        text: found.text,
        kind,
        region: within(region, found.region),
        isPicture: true,
      }));
      page.blocks.push(...blocks);
      const shown = blocks.filter((block) => visibleKinds.has(block.kind)).map(({ text }) => text);
      page.text = [page.text, ...shown].filter((text) => text !== "").join("\n");
    }
    tools.onProgress((index + 1) / groups.length);
  }
  for (const [, uses] of groups.slice(maxPictures)) {
    omissions.push(...uses.map(({ page }) => ({ what: "A picture was not read: the document has too many.", page })));
  }
  if (omissions.length === 0) return document;
  return { ...document, omissions: [...(document.omissions ?? []), ...omissions] };
}

function addWords(page: DocumentPage | undefined, words: readonly string[], kind: TextBlock["kind"]): void {
  // The picture that stands in for it mostly says the same.
  const isKnown = (line: string) => lettersOf(page?.text ?? "").includes(lettersOf(line));
  for (const text of words.filter((line) => !isKnown(line))) {
    page?.blocks.push({ text, kind, region: null, isPicture: true });
    if (page !== undefined && visibleKinds.has(kind)) page.text = `${page.text}\n${text}`.trim();
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Null: it cannot be drawn. The rest of the document may still be fine. */
async function drawPart({ file, signal }: Tools, part: string): Promise<Raster | { words: string[] } | null> {
  try {
    const { raster, words } = await runWorker<OfficePictureAnswer>({
      module: fileURLToPath(new URL("./office-picture-worker.ts", import.meta.url)),
      request: { part } satisfies OfficePictureRequest,
      inputFile: file,
      what: "picture",
      timeoutSeconds: 60,
      nativeBytes: 512 * 2 ** 20,
      signal,
    });
    if (words !== undefined) return { words };
    return raster === null ? null : decodeRaster(raster);
  } catch (error) {
    if (!(error instanceof AnalysisError) || signal.aborted) throw error;
    return null;
  }
}

function within(outer: Region | null, inner: Region): Region | null {
  if (outer === null) return null;
  const four = (value: number) => Number(value.toFixed(4));
  return {
    x: four(outer.x + inner.x * outer.width),
    y: four(outer.y + inner.y * outer.height),
    width: four(inner.width * outer.width),
    height: four(inner.height * outer.height),
  };
}

function formatOf(part: string): string {
  return (/\.([a-z0-9]{2,5})$/i.exec(part)?.[1] ?? "unknown format").toUpperCase();
}
