import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TextBlock } from "../evidence.ts";
import { seenRegion } from "./pdf-pieces.ts";

const maxAnnotations = 2_000;
/** Hidden (2) and NoView (32) of the annotation's flags. */
const unseenFlags = 2 | 32;

type Annotation = {
  subtype?: unknown;
  rect?: unknown;
  annotationFlags?: unknown;
  hidden?: unknown;
  contentsObj?: { str?: unknown };
  textContent?: unknown;
  fieldType?: unknown;
  fieldValue?: unknown;
  file?: { filename?: unknown };
};

export type PageAnnotations = {
  blocks: TextBlock[];
  /** What was not checked, as sentences. */
  omissions: string[];
};

const playedTypes = new Set(["Screen", "Movie", "RichMedia", "Sound", "3D"]);

/** Comments, and what stands in form fields and text boxes: none of it is part of the page's own text. */
export async function readAnnotations(page: PDFPageProxy): Promise<PageAnnotations> {
  const all = (await page.getAnnotations({ intent: "display" })) as Annotation[];
  const annotations = all.slice(0, maxAnnotations);
  const omissions = annotations.flatMap(unchecked);
  if (all.length > maxAnnotations) omissions.push(`Only the first ${maxAnnotations} annotations of a page were read.`);
  return {
    blocks: annotations.flatMap((annotation) => blocksOf(annotation, page)),
    omissions,
  };
}

function blocksOf(annotation: Annotation, page: PDFPageProxy): TextBlock[] {
  const viewport = page.getViewport({ scale: 1 });
  const drawn = drawnText(annotation);
  return textsOf(annotation, drawn).map(({ text, isDrawnOtherwise }): TextBlock => {
    const isOnPage = annotation.subtype === "Widget" || annotation.subtype === "FreeText";
    const [x1, y1, x2, y2] = Array.isArray(annotation.rect) ? annotation.rect.map(Number) : [];
    const region =
      x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined
        ? null
        : seenRegion(viewport, [
            [x1, y1],
            [x2, y1],
            [x1, y2],
            [x2, y2],
          ]);
    if (isDrawnOtherwise) return { text, kind: "hidden", region, why: "in a field that shows something else" };
    return { text, kind: isUnseen(annotation) ? "hidden" : isOnPage ? "body" : "comment", region };
  });
}

function isUnseen({ annotationFlags, hidden }: Annotation): boolean {
  return (Number(annotationFlags ?? 0) & unseenFlags) !== 0 || hidden === true;
}

function unchecked({ subtype, file }: Annotation): string[] {
  const name = typeof file?.filename === "string" ? ` (${file.filename.slice(0, 60)})` : "";
  if (subtype === "FileAttachment") return [`A file that is attached to the page${name} was not checked.`];
  return playedTypes.has(String(subtype)) ? ["A film, sound or model on the page was not checked."] : [];
}

/** What a field or text box shows, where the file draws it itself; null: it is drawn from its value. */
function drawnText({ subtype, textContent }: Annotation): string | null {
  if (subtype !== "Widget" && subtype !== "FreeText") return null;
  return Array.isArray(textContent) ? textContent.map(String).join(" ").trim() : null;
}

function textsOf(annotation: Annotation, drawn: string | null): { text: string; isDrawnOtherwise: boolean }[] {
  const own = textOf(annotation);
  const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const isSame = drawn === null || drawn === "" || letters(drawn) === letters(own);
  const texts = isSame
    ? [{ text: own, isDrawnOtherwise: false }]
    : [
        { text: drawn, isDrawnOtherwise: false },
        { text: own, isDrawnOtherwise: true },
      ];
  return texts.filter(({ text }) => text !== "");
}

function textOf(annotation: Annotation): string {
  const contents = annotation.contentsObj?.str;
  if (annotation.subtype === "Widget") {
    const { fieldValue, fieldType } = annotation;
    // The value of a button is the name of its state, not something to read.
    if (fieldType === "Btn") return "";
    const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
    return values
      .filter((value) => typeof value === "string")
      .join(", ")
      .trim();
  }
  // A popup repeats the comment it belongs to.
  if (annotation.subtype === "Popup" || annotation.subtype === "Link") return "";
  return typeof contents === "string" ? contents.trim() : "";
}
