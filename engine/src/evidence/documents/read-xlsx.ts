import { readBeside } from "./read-beside.ts";
import { buildDocument, type DocumentBuilder, documentLimits, format } from "./document-builder.ts";
import { readDrawing } from "./drawing-text.ts";
import { omitEmbedded, openOffice, type OfficeParts, omitRepeated, partsOfKind } from "./office-parts.ts";
import type { DocumentDraft, PictureDraft } from "./page-draft.ts";
import { readFormatTexts } from "./sheet-formats.ts";
import { readWhiteStyles } from "./sheet-white.ts";
import { readSheet } from "./read-sheet.ts";
import { readXml } from "./xml.ts";

type Sheet = { name: string; isHidden: boolean; part: string };

/** XLSX: a page is a sheet. Cells hold what is stored, so a date is its number and 25 % is 0.25. */
export async function readXlsx(file: string, onProgress: (fraction: number) => void): Promise<DocumentDraft> {
  const parts = await openOffice(file);
  const document = buildDocument();
  const pictures: PictureDraft[] = [];
  omitRepeated(parts, document);
  const sheets = await readWorkbook(parts);
  const strings = await readSharedStrings(parts);
  const [styles] = await partsOfKind(parts, "styles");
  const styleXml = styles === undefined ? null : await parts.read(styles);
  const [formatTexts, whiteStyles] = [readFormatTexts(styleXml), readWhiteStyles(styleXml)];
  for (const [index, sheet] of sheets.entries()) {
    if (index >= documentLimits.pages) {
      document.limit(`Only the first ${format(documentLimits.pages)} of ${format(sheets.length)} sheets were read.`);
      break;
    }
    if (document.isFull()) break;
    const page = index + 1;
    document.addPage(page);
    document.addBlock(page, { text: sheet.name, kind: sheet.isHidden ? "hidden" : "header", region: null });
    const xml = await parts.read(sheet.part);
    if (xml !== null) document.addBeside(readBeside(xml));
    if (xml !== null) readSheet(xml, { document, page, isHidden: sheet.isHidden, strings, formatTexts, whiteStyles });
    await readAttachments({ parts, document, sheet, page, pictures });
    await omitEmbedded(parts, sheet.part, { document, page });
    onProgress(page / sheets.length);
  }
  await readLooseSheets(parts, { document, strings, shown: sheets.map(({ part }) => part) });
  parts.close();
  return { ...document.finish(), pageDrafts: [], pictures };
}

/** Sheets that are in the file and not in the workbook: anyone who unpacks it can read them. */
async function readLooseSheets(
  parts: OfficeParts,
  { document, strings, shown }: { document: DocumentBuilder; strings: readonly string[]; shown: readonly string[] },
): Promise<void> {
  for (const name of parts.names) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/.test(name) || shown.includes(name)) continue;
    const xml = await parts.read(name);
    if (xml !== null)
      readSheet(xml, { document, page: 1, isHidden: true, strings, formatTexts: new Map(), whiteStyles: new Set() });
  }
}

async function readWorkbook(parts: OfficeParts): Promise<Sheet[]> {
  const relations = await parts.relationsOf(parts.main);
  const sheets: Sheet[] = [];
  readXml((await parts.read(parts.main)) ?? "", {
    open({ name, attributes }) {
      if (name !== "sheet") return;
      const part = relations.get(attributes["r:id"] ?? attributes["id"] ?? "")?.target;
      const isHidden = (attributes["state"] ?? "visible") !== "visible";
      if (part !== undefined) sheets.push({ name: attributes["name"] ?? "", isHidden, part });
    },
  });
  return sheets;
}

async function readSharedStrings(parts: OfficeParts): Promise<string[]> {
  const strings: string[] = [];
  const [part] = parts.ofType("sharedStrings");
  const xml = part === undefined ? null : await parts.read(part);
  if (xml === null) return strings;
  let current = "";
  let isText = false;
  let isPhonetic = false;
  readXml(xml, {
    open({ name }) {
      if (name === "si") current = "";
      else if (name === "t") isText = true;
      else if (name === "rPh") isPhonetic = true;
    },
    text: (text) => {
      if (isText && !isPhonetic) current += text;
    },
    close(name) {
      if (name === "si") strings.push(current);
      else if (name === "t") isText = false;
      else if (name === "rPh") isPhonetic = false;
    },
  });
  return strings;
}

/** Comments of both generations, text boxes and the words of charts. */
async function readAttachments(options: {
  parts: OfficeParts;
  document: DocumentBuilder;
  sheet: Sheet;
  page: number;
  pictures: PictureDraft[];
}): Promise<void> {
  const { parts, document, sheet, page } = options;
  const pending = [...(await parts.relationsOf(sheet.part)).values()];
  const seen = new Set<string>();
  for (const { type, target, isExternal } of pending) {
    if (type === "image" && !isExternal) {
      options.pictures.push({ part: target, page, region: null, kind: sheet.isHidden ? "hidden" : "body" });
    }
    const isComment = type === "comments" || type === "threadedComment";
    if (isExternal || seen.has(target) || !(isComment || type === "drawing" || type === "chart")) continue;
    seen.add(target);
    const xml = await parts.read(target);
    if (xml === null) continue;
    document.addBeside(readBeside(xml));
    for (const text of isComment ? readComments(xml) : readDrawing(xml, { size: null }).map((drawn) => drawn.text)) {
      document.addBlock(page, {
        text,
        kind: isComment ? "comment" : sheet.isHidden ? "hidden" : "body",
        region: null,
      });
    }
    if (type === "drawing") pending.push(...(await parts.relationsOf(target)).values());
  }
}

/** One string a comment, whatever runs it is made of. */
function readComments(xml: Buffer): string[] {
  const comments: string[] = [];
  let depth = 0;
  readXml(xml, {
    open({ name }) {
      if (name === "comment" || name === "threadedComment") comments.push("");
      if (name === "text") depth += 1;
    },
    text: (text) => {
      if (depth > 0 && comments.length > 0) comments.push((comments.pop() ?? "") + text);
    },
    close(name) {
      if (name === "text") depth -= 1;
    },
  });
  return comments;
}
