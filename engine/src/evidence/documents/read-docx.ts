import { buildDocument, type DocumentBuilder, documentLimits, format, visibleKinds } from "./document-builder.ts";
import type { DocumentEvidence, TextBlock } from "../evidence.ts";
import { openOffice } from "./office-parts.ts";
import { isOn, readXml, type XmlTag } from "./xml.ts";

type Kind = TextBlock["kind"];

/** Page on which each footnote or comment is referred to. */
type References = { footnote: Map<string, number>; comment: Map<string, number> };

/**
 * DOCX. Pages are those that Word last laid out (it leaves a mark at each break); a file without marks is one page,
 * because a guess would name wrong places. Headers and footers are read once, on page 1.
 */
export async function readDocx(file: string): Promise<DocumentEvidence> {
  const parts = await openOffice(file);
  const document = buildDocument();
  const read = async (names: string[], walk: (xml: Buffer) => void) => {
    for (const name of names) {
      const xml = await parts.read(name);
      if (xml !== null) walk(xml);
    }
  };
  const still = (kind: Kind, pageOf: (id: string) => number) => (xml: Buffer) =>
    void walkStory(xml, { document, kind, pageOf });

  await read(
    parts.ofType("header"),
    still("header", () => 1),
  );
  const references: References = { footnote: new Map(), comment: new Map() };
  let lastPage = 1;
  await read(
    [parts.main],
    (xml) => (lastPage = walkStory(xml, { document, kind: "body", pageOf: () => 1, references })),
  );
  document.addPage(Math.min(lastPage, documentLimits.pages));
  if (lastPage > documentLimits.pages) {
    document.limit(`Only the first ${format(documentLimits.pages)} of ${format(lastPage)} pages were read.`);
  }
  await read(
    parts.ofType("footnotes"),
    still("footnote", (id) => references.footnote.get(id) ?? 1),
  );
  await read(
    parts.ofType("endnotes"),
    still("footnote", () => lastPage),
  );
  await read(
    parts.ofType("footer"),
    still("footer", () => 1),
  );
  await read(
    parts.ofType("comments"),
    still("comment", (id) => references.comment.get(id) ?? 1),
  );
  parts.close();
  return document.finish();
}

/** Runs of one paragraph that are of one kind. */
type Run = { kind: Kind; text: string };

/** Walks one part. Returns the last page it reached. */
function walkStory(
  xml: Buffer,
  options: {
    document: DocumentBuilder;
    kind: Kind;
    pageOf: (id: string) => number;
    references?: References;
  },
): number {
  let page = 1;
  let deletions = 0;
  let insertions = 0;
  let cells = 0;
  let fallbacks = 0;
  let isHidden = false;
  let isInProperties = false;
  let isText = false;
  // A text box holds paragraphs inside a run of another paragraph.
  const paragraphs: Run[][] = [];

  const kindNow = (): Kind => {
    if (deletions > 0) return "deleted";
    if (isHidden) return "hidden";
    if (options.kind !== "body") return options.kind;
    return insertions > 0 ? "inserted" : cells > 0 ? "cell" : "body";
  };
  const add = (text: string) => {
    const runs = paragraphs.at(-1);
    if (runs === undefined || fallbacks > 0) return;
    const last = runs.at(-1);
    const kind = kindNow();
    if (last?.kind === kind) last.text += text;
    else runs.push({ kind, text });
  };
  const flush = () => {
    const runs = paragraphs.at(-1);
    if (runs === undefined) return;
    let joiner = "\n";
    for (const { kind, text } of runs) {
      options.document.addBlock(page, { text, kind, region: null }, { joiner });
      if (visibleKinds.has(kind) && text.trim() !== "") joiner = "";
    }
    runs.length = 0;
  };
  const count = (name: string, step: 1 | -1) => {
    if (name === "del" || name === "moveFrom") deletions += step;
    else if (name === "ins" || name === "moveTo") insertions += step;
    else if (name === "tc") cells += step;
    // The same text again, for readers that do not know text boxes.
    else if (name === "Fallback") fallbacks += step;
  };
  const open = ({ name, attributes }: XmlTag) => {
    // An empty `ins` or `del` in the properties of a paragraph marks its end, not text.
    if (name === "rPr" && !isText) isInProperties = true;
    if (!isInProperties) count(name, 1);
    const id = attributes["id"] ?? "";
    if (name === "footnote" || name === "endnote" || name === "comment") page = options.pageOf(id);
    else if (name === "p") paragraphs.push([]);
    else if (name === "r") isHidden = false;
    else if (name === "vanish") isHidden = isOn(attributes["val"]);
    else if (name === "t" || name === "delText") isText = true;
    else if (name === "tab" && !isInProperties && paragraphs.at(-1)?.length !== 0) add("\t");
    else if (name === "br" || name === "cr") add("\n");
    else if (name === "noBreakHyphen") add("\u2011");
    else if (name === "lastRenderedPageBreak" && fallbacks === 0 && options.kind === "body") {
      flush();
      page += 1;
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
      }
    },
  });
  return page;
}
