import { buildDocument, type DocumentBuilder, documentLimits, format, visibleKinds } from "./document-builder.ts";
import { readBeside } from "./read-beside.ts";
import { luminanceOfColour, ratioOf } from "./contrast.ts";
import { readListWords } from "./docx-list-words.ts";
import { plainTextOfChunk } from "./docx-chunks.ts";
import { readSizes, type Sizes } from "./docx-sizes.ts";
import type { TextBlock } from "../evidence.ts";
import { readDrawing } from "./drawing-text.ts";
import {
  omitEmbedded,
  openOffice,
  type OfficeParts,
  omitRepeated,
  partsOfKind,
  type Relation,
} from "./office-parts.ts";
import type { DocumentDraft, PictureDraft } from "./page-draft.ts";
import { isOn, readXml, type XmlTag } from "./xml.ts";

type Kind = TextBlock["kind"];

/** Page on which each footnote or comment is referred to. */
type References = { footnote: Map<string, number>; comment: Map<string, number> };

/** What every part of the document is read with. */
type Story = {
  document: DocumentBuilder;
  pictures: PictureDraft[];
  sizes: Sizes;
  kind: Kind;
  pageOf: (id: string) => number;
  references?: References;
  /** What is inserted from other parts of the file, in order. */
  chunks?: { target: string; page: number }[];
  /** Charts and diagrams, whose words are in parts of their own. */
  drawn?: { target: string; page: number; kind: Kind }[];
};

/** A chunk may hold a document with chunks of its own. */
const maxNesting = 4;

/**
 * DOCX. Pages are those that Word last laid out (it leaves a mark at each break) and those that a hard break begins; a
 * file without either is one page, because a guess would name wrong places. Headers and footers are read once, on page 1.
 */
export async function readDocx(file: string | Buffer): Promise<DocumentDraft> {
  const document = buildDocument();
  const pictures: PictureDraft[] = [];
  await readPackage(file, { document, pictures, firstPage: 1, nesting: 0 });
  return { ...document.finish(), pageDrafts: [], pictures };
}

async function readPackage(
  file: string | Buffer,
  options: { document: DocumentBuilder; pictures: PictureDraft[]; firstPage: number; nesting: number },
): Promise<void> {
  const { document, pictures, firstPage } = options;
  const parts = await openOffice(file);
  omitRepeated(parts, document);
  const [styles] = await partsOfKind(parts, "styles");
  const styleXml = styles === undefined ? null : await parts.read(styles);
  const sizes = readSizes(styleXml);
  const seen = new Set([parts.main]);
  const drawn: NonNullable<Story["drawn"]> = [];
  const read = async (names: string[], story: Pick<Story, "kind" | "pageOf" | "references" | "chunks">) => {
    let lastPage = 1;
    for (const name of names) {
      seen.add(name);
      const xml = await parts.read(name);
      // A part of a nested document has pictures in a file within the file, which are not unpacked again.
      const relations = await parts.relationsOf(name);
      if (xml !== null) lastPage = walkStory(xml, { document, pictures, sizes, relations, drawn, ...story });
      if (xml !== null) document.addBeside(readBeside(xml));
      await omitEmbedded(parts, name, { document, page: story.pageOf("") });
    }
    return lastPage;
  };
  const still = async (type: string, kind: Kind, pageOf: (id: string) => number) =>
    read(await partsOfKind(parts, type), { kind, pageOf });

  await still("header", "header", () => firstPage);
  const references: References = { footnote: new Map(), comment: new Map() };
  const chunks: NonNullable<Story["chunks"]> = [];
  const lastPage = await read([parts.main], { kind: "body", pageOf: () => firstPage, references, chunks });
  document.addPage(Math.min(lastPage, documentLimits.pages));
  if (lastPage > documentLimits.pages) {
    document.limit(`Only the first ${format(documentLimits.pages)} of ${format(lastPage)} pages were read.`);
  }
  const [lists] = await partsOfKind(parts, "numbering");
  const numbering = lists === undefined ? null : await parts.read(lists);
  const listWords = numbering === null ? [] : readListWords(numbering, [await parts.read(parts.main), styleXml]);
  for (const text of listWords) document.addBlock(firstPage, { text, kind: "body", region: null });
  for (const { target, page } of chunks) await readChunk(parts, { ...options, target, page });
  await still("footnotes", "footnote", (id) => references.footnote.get(id) ?? firstPage);
  await still("endnotes", "footnote", () => lastPage);
  await still("footer", "footer", () => firstPage);
  await still("comments", "comment", (id) => references.comment.get(id) ?? firstPage);
  for (const { target, page, kind } of drawn) {
    const xml = await parts.read(target);
    for (const { text } of xml === null ? [] : readDrawing(xml, { size: null })) {
      document.addBlock(page, { text, kind, region: null });
    }
  }
  await readLooseParts(parts, { document, seen });
  parts.close();
}

/** What Word inserts when it opens the file (altChunk): web pages, plain text and whole documents. */
async function readChunk(
  parts: OfficeParts,
  options: { document: DocumentBuilder; pictures: PictureDraft[]; target: string; page: number; nesting: number },
): Promise<void> {
  const { document, target, page, nesting } = options;
  const bytes = await parts.read(target);
  const isNested = bytes?.subarray(0, 2).toString("latin1") === "PK";
  if (bytes !== null && isNested && nesting < maxNesting) {
    const pictures: PictureDraft[] = [];
    await readPackage(bytes, { document, pictures, firstPage: page, nesting: nesting + 1 });
    for (const picture of pictures) {
      document.omit({ what: "A picture in a document within the document was not read.", page: picture.page });
    }
    return;
  }
  const text = bytes === null ? null : plainTextOfChunk(bytes);
  if (text === null) document.omit({ what: `The inserted part ${target} was not read.`, page });
  else document.addBlock(page, { text, kind: "body", region: null });
}

/** Text in parts that nothing refers to: Word does not show it; anyone who unpacks the file can read it. */
async function readLooseParts(
  parts: OfficeParts,
  { document, seen }: { document: DocumentBuilder; seen: ReadonlySet<string> },
): Promise<void> {
  for (const name of parts.names) {
    if (!/^word\/[^/]+\.xml$/.test(name) || seen.has(name) || /\/comments/i.test(name)) continue;
    const xml = await parts.read(name);
    if (xml === null || !xml.includes(":t>")) continue;
    let isText = false;
    let text = "";
    readXml(xml, {
      open: (tag) => (isText = tag.name === "t"),
      text: (piece) => (text += isText ? piece : ""),
      close: (tag) => {
        isText = false;
        if (tag === "p") text += "\n";
      },
    });
    document.addBlock(1, { text, kind: "hidden", region: null, why: `in the part ${name}, which is not shown` });
  }
}

/** Runs of one paragraph that are of one kind. */
type Run = { kind: Kind; text: string; sizePoints: number | null; why: string | null };

/** Of letters to their shading: nobody sees less. */
const leastContrast = 1.1;

/** Walks one part. Returns the last page it reached. */
function walkStory(xml: Buffer, options: Story & { relations: ReadonlyMap<string, Relation> }): number {
  let page = options.pageOf("");
  let hasText = false;
  /** A hard break was counted: the mark that Word leaves for the same one comes before the next text. */
  let isBroken = false;
  let breaksAfter = false;
  let boxes = 0;
  let paragraphStyle: string | null = null;
  let shading: string | null = null;
  let pageColour = "ffffff";
  let run: { size: number | null; colour: string | null; shading: string | null } = noRun;
  let deletions = 0;
  let insertions = 0;
  let cells = 0;
  let fallbacks = 0;
  let isHidden = false;
  let isInProperties = false;
  let isText = false;
  // A text box holds paragraphs inside a run of another paragraph.
  const paragraphs: Run[][] = [];

  /** White on white outside of tables and boxes, whose ground is not known, or letters of the colour of their shading. */
  const isUnseen = (): boolean => {
    const isUnknown = cells > 0 || boxes > 0 || options.sizes.isShaded(paragraphStyle);
    const ground = run.shading ?? shading ?? (isUnknown ? null : pageColour);
    if (run.colour === null || ground === null) return false;
    return ratioOf(luminanceOfColour(`#${run.colour}`), luminanceOfColour(`#${ground}`)) < leastContrast;
  };
  const kindNow = (): Kind => {
    if (deletions > 0) return "deleted";
    if (isHidden || isUnseen()) return "hidden";
    if (options.kind !== "body") return options.kind;
    return insertions > 0 ? "inserted" : cells > 0 ? "cell" : "body";
  };
  const add = (text: string) => {
    const runs = paragraphs.at(-1);
    if (runs === undefined || fallbacks > 0) return;
    const last = runs.at(-1);
    const kind = kindNow();
    const size = run.size ?? options.sizes.of(paragraphStyle);
    if (text.trim() !== "") [hasText, isBroken] = [true, false];
    if (last?.kind === kind) {
      last.text += text;
      if (text.trim() !== "" && size !== null) last.sizePoints = Math.min(last.sizePoints ?? Infinity, size);
    } else runs.push({ kind, text, sizePoints: size, why: isUnseen() ? "in the colour of its ground" : null });
  };
  const turnPage = () => {
    flush();
    page += 1;
    isBroken = true;
  };
  const flush = () => {
    const runs = paragraphs.at(-1);
    if (runs === undefined) return;
    let joiner = "\n";
    for (const { kind, text, sizePoints, why } of runs) {
      const told = { ...(sizePoints !== null && { sizePoints }), ...(kind === "hidden" && why !== null && { why }) };
      options.document.addBlock(page, { text, kind, region: null, ...told }, { joiner });
      if (visibleKinds.has(kind) && text.trim() !== "") joiner = "";
    }
    runs.length = 0;
  };
  const count = (name: string, step: 1 | -1) => {
    if (name === "del" || name === "moveFrom") deletions += step;
    else if (name === "ins" || name === "moveTo") insertions += step;
    else if (name === "tc") cells += step;
    else if (name === "txbxContent") boxes += step;
    // The same text again, for readers that do not know text boxes.
    else if (name === "Fallback") fallbacks += step;
  };
  const addPicture = (attributes: XmlTag["attributes"]) => {
    const relation = options.relations.get(attributes["embed"] ?? attributes["r:id"] ?? attributes["id"] ?? "");
    if (relation === undefined || relation.isExternal || fallbacks > 0) return;
    options.pictures.push({ part: relation.target, page, region: null, kind: kindNow() });
  };
  /** `dm`: the words of a diagram. */
  const addDrawn = (attributes: XmlTag["attributes"]) => {
    const relation = options.relations.get(attributes["dm"] ?? attributes["r:id"] ?? attributes["id"] ?? "");
    if (relation === undefined || relation.isExternal || fallbacks > 0) return;
    options.drawn?.push({ target: relation.target, page, kind: kindNow() });
  };
  const addChunk = (attributes: XmlTag["attributes"]) => {
    const relation = options.relations.get(attributes["r:id"] ?? attributes["id"] ?? "");
    if (relation !== undefined && !relation.isExternal) options.chunks?.push({ target: relation.target, page });
  };
  const open = ({ name, attributes }: XmlTag) => {
    // An empty `ins` or `del` in the properties of a paragraph marks its end, not text.
    if (name === "rPr" && !isText) isInProperties = true;
    if (!isInProperties) count(name, 1);
    const id = attributes["id"] ?? "";
    if (name === "footnote" || name === "endnote" || name === "comment") page = options.pageOf(id);
    else if (name === "p") {
      paragraphs.push([]);
      [paragraphStyle, shading, run] = [null, null, noRun];
    } else if (name === "r") [isHidden, run] = [false, noRun];
    else if (name === "vanish") isHidden = isOn(attributes["val"]);
    else if (name === "t" || name === "delText") isText = true;
    else if (name === "tab" && !isInProperties && paragraphs.at(-1)?.length !== 0) add("\t");
    else if (name === "br" && attributes["type"] === "page" && options.kind === "body") {
      if (fallbacks === 0) turnPage();
    } else if (name === "br" || name === "cr") add("\n");
    else if (name === "pageBreakBefore" && isOn(attributes["val"]) && options.kind === "body") {
      if (hasText && !isBroken) turnPage();
    } else if (name === "sectPr" && paragraphs.length > 0) breaksAfter = options.kind === "body";
    else if (name === "type" && /continuous/i.test(attributes["val"] ?? "")) breaksAfter = false;
    else if (name === "pStyle") paragraphStyle = attributes["val"] ?? null;
    else if (isInProperties && name === "rStyle")
      run = { ...run, size: run.size ?? options.sizes.of(attributes["val"] ?? null) };
    else if (isInProperties && name === "sz") run = { ...run, size: Number(attributes["val"]) / 2 || null };
    else if (isInProperties && name === "color") run = { ...run, colour: hexOf(attributes["val"]) };
    else if (isInProperties && name === "shd") run = { ...run, shading: hexOf(attributes["fill"]) };
    else if (name === "shd" && paragraphs.length > 0) shading = hexOf(attributes["fill"]);
    else if (name === "background") pageColour = hexOf(attributes["color"]) ?? pageColour;
    else if (isInProperties && name === "highlight") run = { ...run, colour: null };
    else if (name === "blip" || name === "imagedata") addPicture(attributes);
    else if (name === "svgBlip") addPicture(attributes);
    else if (name === "chart" || name === "relIds") addDrawn(attributes);
    else if (name === "fill" && options.relations.get(attributes["r:id"] ?? attributes["id"] ?? "")?.type === "image")
      addPicture(attributes);
    else if (name === "sym") add(letterOf(attributes["char"]));
    else if (name === "textpath") add(attributes["string"] ?? "");
    else if (name === "altChunk") addChunk(attributes);
    else if (name === "noBreakHyphen") add("\u2011");
    else if (name === "lastRenderedPageBreak" && fallbacks === 0 && options.kind === "body") {
      if (!isBroken) turnPage();
      isBroken = false;
    } else if (name === "footnoteReference") options.references?.footnote.set(id, page);
    else if (name === "commentReference") options.references?.comment.set(id, page);
  };
  readXml(xml, {
    open,
    text: (text) => {
      if (isText) add(text);
    },
    close: (name) => {
      if (name === "rPr") isInProperties = false;
      else if (!isInProperties) count(name, -1);
      if (name === "t" || name === "delText") isText = false;
      else if (name === "p") {
        flush();
        paragraphs.pop();
        if (breaksAfter && paragraphs.length === 0) turnPage();
        breaksAfter &&= paragraphs.length > 0;
      }
    },
  });
  return page;
}

const noRun: { size: number | null; colour: string | null; shading: string | null } = {
  size: null,
  colour: null,
  shading: null,
};

/** A letter that is given by its number. Fonts of signs have numbers of their own from F000 on, and no letters. */
function letterOf(code: string | undefined): string {
  const number = Number.parseInt(code ?? "", 16);
  return number >= 0x20 && number < 0xd800 ? String.fromCharCode(number) : "";
}

/** Null: automatic, or none. */
function hexOf(value: string | undefined): string | null {
  return value !== undefined && /^[0-9a-f]{6}$/i.test(value) ? value : null;
}
