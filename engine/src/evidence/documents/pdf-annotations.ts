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
};

/** Comments, and what stands in form fields and text boxes: none of it is part of the page's own text. */
export async function readAnnotations(page: PDFPageProxy): Promise<TextBlock[]> {
  const annotations = (await page.getAnnotations({ intent: "display" })) as Annotation[];
  const viewport = page.getViewport({ scale: 1 });
  return annotations.slice(0, maxAnnotations).flatMap((annotation): TextBlock[] => {
    const text = textOf(annotation);
    if (text === "") return [];
    const isUnseen = (Number(annotation.annotationFlags ?? 0) & unseenFlags) !== 0 || annotation.hidden === true;
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
    return [{ text, kind: isUnseen ? "hidden" : isOnPage ? "body" : "comment", region }];
  });
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
