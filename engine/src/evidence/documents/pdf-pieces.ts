import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Region } from "../evidence.ts";
import type { PdfRun } from "./pdf-runs.ts";
import type { Piece, Print } from "./reading-order.ts";

/** More than any page that somebody reads; a page of a million letters would fill memory before the document ends. */
const maxItems = 40_000;

export type TextItem = { str: string; transform: number[]; width: number; height: number };

/** The text of a page in the order it is drawn. What is cut off is never asked for, so pdf.js stops there. */
export async function readItems(page: PDFPageProxy): Promise<{ items: TextItem[]; isCut: boolean }> {
  const items: TextItem[] = [];
  const reader = page.streamTextContent().getReader();
  while (items.length < maxItems) {
    const { value, done } = await reader.read();
    if (done) return { items, isCut: false };
    for (const item of (value as { items: unknown[] }).items) {
      if (isTextItem(item) && item.str.trim() !== "") items.push(item);
    }
  }
  return { items, isCut: true };
}

/** With their places as seen: turned and cropped like the page. */
export function placePieces(page: PDFPageProxy, items: readonly TextItem[], runs: readonly PdfRun[]): Piece[] {
  const viewport = page.getViewport({ scale: 1 });
  const runAt = finder(runs);
  return items.map((item) => {
    const region = regionOf(item, viewport);
    const run = runAt(item);
    return {
      text: item.str,
      region,
      isHidden: isOutside(region) || run?.isInvisible === true,
      print: printOf(run, page),
    };
  });
}

/** The same of what is shown in one go, which pdf.js joins whatever its colour. */
export function placeRun(page: PDFPageProxy, run: PdfRun): Piece {
  const { x, y, endX, endY, up } = run;
  const at = (fromX: number, fromY: number, share: number) => [fromX + up[0] * share, fromY + up[1] * share] as const;
  const corners = [at(x, y, -0.2), at(endX, endY, -0.2), at(x, y, 0.8), at(endX, endY, 0.8)];
  const region = seenRegion(page.getViewport({ scale: 1 }), corners);
  return { text: run.text, region, isHidden: run.isInvisible || run.isOutside, print: printOf(run, page) };
}

function printOf(run: PdfRun | undefined, page: PDFPageProxy): Print | undefined {
  if (run === undefined) return undefined;
  const { contrastRatio, sizePoints } = run;
  return { sizePoints: round(sizePoints * page.userUnit), contrastRatio: contrastRatio && round(contrastRatio) };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

/** A rectangle in the page's own units → fractions of the page as seen. */
export function seenRegion(
  viewport: { width: number; height: number; convertToViewportPoint: (x: number, y: number) => unknown },
  corners: readonly (readonly [number, number])[],
): Region {
  const points = corners.map(([x, y]) => viewport.convertToViewportPoint(x, y) as number[]);
  const xs = points.map(([x = 0]) => x / viewport.width);
  const ys = points.map(([, y = 0]) => y / viewport.height);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

function isTextItem(item: unknown): item is TextItem {
  return typeof item === "object" && item !== null && "str" in item && "transform" in item;
}

/** pdf.js gives a start on the baseline, a width along it and the height of the font. */
function regionOf(item: TextItem, viewport: Parameters<typeof seenRegion>[0]): Region {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform;
  const along = unit(a, b);
  const up = unit(c, d);
  const descent = item.height * 0.2;
  const corner = (right: number, above: number) =>
    [x + along[0] * right + up[0] * above, y + along[1] * right + up[1] * above] as const;
  return seenRegion(viewport, [
    corner(0, -descent),
    corner(item.width, -descent),
    corner(0, item.height - descent),
    corner(item.width, item.height - descent),
  ]);
}

function unit(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

function isOutside({ x, y, width, height }: Region): boolean {
  return x + width <= 0.001 || y + height <= 0.001 || x >= 0.999 || y >= 0.999;
}

/** The run on which the first letter of an item stands. */
function finder(runs: readonly PdfRun[]): (item: TextItem) => PdfRun | undefined {
  const byRow = new Map<number, PdfRun[]>();
  for (const run of runs) {
    for (const row of new Set([Math.floor(run.y), Math.floor(run.endY)])) {
      const rows = byRow.get(row) ?? [];
      rows.push(run);
      byRow.set(row, rows);
    }
  }
  return ({ transform, width, height }) => {
    const [, , , , x = 0, y = 0] = transform;
    const slack = Math.max(0.5, Math.min(width, height) * 0.3);
    const distance = (run: PdfRun) => Math.hypot(Math.min(run.x, run.endX) - x, run.y - y);
    const near = [Math.floor(y) - 1, Math.floor(y), Math.floor(y) + 1].flatMap((row) =>
      (byRow.get(row) ?? []).filter(
        (run) =>
          x >= Math.min(run.x, run.endX) - slack &&
          x <= Math.max(run.x, run.endX) + slack &&
          y >= Math.min(run.y, run.endY) - slack &&
          y <= Math.max(run.y, run.endY) + slack,
      ),
    );
    return near.toSorted((a, b) => distance(a) - distance(b))[0];
  };
}
