import { buildDocument, type DocumentBuilder, documentLimits, format } from "./document-builder.ts";
import { readBeside } from "./read-beside.ts";
import { type DrawnPicture, readDrawing, readShapes } from "./drawing-text.ts";
import { splitUnseen } from "./unseen-on-slide.ts";
import type { TextBlock } from "../evidence.ts";
import { omitEmbedded, openOffice, type OfficeParts, omitRepeated } from "./office-parts.ts";
import type { DocumentDraft, PictureDraft } from "./page-draft.ts";
import { isOn, readXml } from "./xml.ts";

type Size = { width: number; height: number };

/** PPTX: a page is a slide, in the order they are shown. All text of a hidden slide is `hidden`. */
export async function readPptx(file: string, onProgress: (fraction: number) => void): Promise<DocumentDraft> {
  const parts = await openOffice(file);
  const document = buildDocument();
  const { slides, size } = await readPresentation(parts);
  const furniture = new Set<string>();
  const pictures: PictureDraft[] = [];
  omitRepeated(parts, document);
  for (const [index, slide] of slides.entries()) {
    if (index >= documentLimits.pages) {
      document.limit(`Only the first ${format(documentLimits.pages)} of ${format(slides.length)} slides were read.`);
      break;
    }
    if (document.isFull()) break;
    await readSlide({ parts, document, slide, page: index + 1, size, furniture, pictures });
    onProgress((index + 1) / slides.length);
  }
  await readLooseSlides(parts, document, slides);
  parts.close();
  return { ...document.finish(), pageDrafts: [], pictures };
}

async function readPresentation(parts: OfficeParts): Promise<{ slides: string[]; size: Size | null }> {
  const relations = await parts.relationsOf(parts.main);
  const slides: string[] = [];
  let size: Size | null = null;
  readXml((await parts.read(parts.main)) ?? "", {
    open({ name, attributes }) {
      if (name === "sldId") {
        const target = relations.get(attributes["r:id"] ?? attributes["id"] ?? "")?.target;
        if (target !== undefined) slides.push(target);
      } else if (name === "sldSz") {
        const [width, height] = [Number(attributes["cx"]), Number(attributes["cy"])];
        if (width > 0 && height > 0) size = { width, height };
      }
    },
  });
  return { slides, size };
}

async function readSlide(options: {
  parts: OfficeParts;
  document: DocumentBuilder;
  slide: string;
  page: number;
  size: Size | null;
  /** Layouts and masters that were read already: what they draw is told once, on the first slide that shows it. */
  furniture: Set<string>;
  pictures: PictureDraft[];
}): Promise<void> {
  const { parts, document, page, size } = options;
  document.addPage(page);
  const xml = await parts.read(options.slide);
  if (xml === null) return;
  const { isHidden, showsMaster } = readSlideFlags(xml);
  const shapes = readShapes(xml, { size });
  for (const block of await splitUnseen(parts, { slide: options.slide, showsMaster, shapes, size })) {
    document.addBlock(page, { ...block, kind: isHidden ? "hidden" : block.kind });
  }
  document.addBeside(readBeside(xml));
  await addPictures(shapes.pictures, { ...options, part: options.slide, isHidden });
  await omitEmbedded(parts, options.slide, { document, page });
  const relations = [...(await parts.relationsOf(options.slide)).values()].filter(({ isExternal }) => !isExternal);
  for (const { type, target } of relations) {
    const part = ["notesSlide", "comments", "diagramData", "chart", "chartEx"].includes(type)
      ? await parts.read(target)
      : null;
    if (part !== null) {
      for (const { text, placeholder } of readDrawing(part, { size: null })) {
        if (type === "notesSlide" && placeholder !== "body") continue;
        const kind = type === "notesSlide" ? "note" : type === "comments" ? "comment" : isHidden ? "hidden" : "body";
        document.addBlock(page, { text, kind, region: null });
      }
    }
    if (type === "slideLayout" && showsMaster && !isHidden) await readLayout({ ...options, layout: target });
  }
}

/** A legal line often stands on the layout or the master alone. Their placeholders are only hints for authors. */
async function readLayout(options: {
  parts: OfficeParts;
  document: DocumentBuilder;
  layout: string;
  page: number;
  size: Size | null;
  furniture: Set<string>;
  pictures: PictureDraft[];
}): Promise<void> {
  const { parts, document, page, size, furniture } = options;
  const masters = [...(await parts.relationsOf(options.layout)).values()].filter(({ type }) => type === "slideMaster");
  for (const part of [options.layout, ...masters.map(({ target }) => target)]) {
    if (furniture.has(part)) continue;
    furniture.add(part);
    const xml = await parts.read(part);
    if (xml === null) continue;
    const shapes = readShapes(xml, { size });
    for (const { text, kind, region, placeholder } of shapes.texts) {
      if (placeholder !== null) continue;
      document.addBlock(page, { text, kind: kind === "hidden" ? "hidden" : "footer", region });
    }
    document.addBeside(readBeside(xml));
    await addPictures(shapes.pictures, { ...options, part, isHidden: false });
  }
}

async function addPictures(
  found: readonly DrawnPicture[],
  options: { parts: OfficeParts; part: string; page: number; pictures: PictureDraft[]; isHidden: boolean },
): Promise<void> {
  if (found.length === 0) return;
  const relations = await options.parts.relationsOf(options.part);
  for (const { id, kind, region } of found) {
    const relation = relations.get(id);
    if (relation === undefined || relation.isExternal) continue;
    const own: TextBlock["kind"] = options.isHidden ? "hidden" : kind;
    options.pictures.push({ part: relation.target, page: options.page, region, kind: own });
  }
}

/** Slides that are in the file and in no show: anyone who unpacks it can read them. */
async function readLooseSlides(parts: OfficeParts, document: DocumentBuilder, slides: string[]): Promise<void> {
  for (const name of parts.names) {
    if (!/^ppt\/slides\/[^/]+\.xml$/.test(name) || slides.includes(name)) continue;
    const xml = await parts.read(name);
    if (xml === null) continue;
    for (const { text } of readDrawing(xml, { size: null })) {
      document.addBlock(1, { text, kind: "hidden", region: null, why: "on a slide that is in no show" });
    }
  }
}

function readSlideFlags(xml: Buffer): { isHidden: boolean; showsMaster: boolean } {
  let flags = { isHidden: false, showsMaster: true };
  readXml(xml, {
    open({ name, attributes }) {
      if (name !== "sld") return;
      flags = { isHidden: !isOn(attributes["show"]), showsMaster: isOn(attributes["showMasterSp"]) };
    },
  });
  return flags;
}
