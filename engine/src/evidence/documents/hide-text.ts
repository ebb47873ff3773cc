import type { PDFiumPage } from "@hyzyla/pdfium";

/** The functions of pdfium that its wrapper has no method for. Pages and objects are addresses. */
type Pdfium = {
  _FPDFPage_CountObjects: (page: number) => number;
  _FPDFPage_GetObject: (page: number, index: number) => number;
  _FPDFPageObj_GetType: (object: number) => number;
  _FPDFPageObj_SetIsActive: (object: number, isActive: number) => number;
  _FPDFFormObj_CountObjects: (form: number) => number;
  _FPDFFormObj_GetObject: (form: number, index: number) => number;
};

const textType = 1;
const formType = 5;
/** Forms hold forms; a file must not make us recurse for ever. */
const maxDepth = 20;

/** Leaves the text out when the page is drawn next. Text in forms and annotations included, as far as it is part of the page. */
export function hideText(page: PDFiumPage): void {
  const { module: pdfium, pageIdx } = page as unknown as { module: Pdfium; pageIdx: number };
  hide(pdfium._FPDFPage_CountObjects(pageIdx), (index) => pdfium._FPDFPage_GetObject(pageIdx, index), {
    pdfium,
    depth: 0,
  });
}

function hide(
  count: number,
  objectAt: (index: number) => number,
  { pdfium, depth }: { pdfium: Pdfium; depth: number },
): void {
  for (let index = 0; index < count; index += 1) {
    const object = objectAt(index);
    const type = pdfium._FPDFPageObj_GetType(object);
    if (type === textType) pdfium._FPDFPageObj_SetIsActive(object, 0);
    if (type === formType && depth < maxDepth) {
      hide(pdfium._FPDFFormObj_CountObjects(object), (inner) => pdfium._FPDFFormObj_GetObject(object, inner), {
        pdfium,
        depth: depth + 1,
      });
    }
  }
}
