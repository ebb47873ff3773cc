import type { Region, TextBlock } from "../evidence.ts";

/** A piece of text as drawn, in fractions of the page as it is seen. */
export type Piece = { text: string; region: Region; isHidden: boolean; print?: Print | undefined };

/** How text is printed: how large, and its contrast to what is behind it where that is known. */
export type Print = { sizePoints: number; contrastRatio: number | null };

/** A paragraph: lines below each other, joined by `\n`. Its print is the smallest and the faintest of it. */
export type Paragraph = Piece;

type Line = Piece;

/** As a block of a page has it. */
export function asBlock(print: Print | undefined): Pick<TextBlock, "sizePoints" | "contrastRatio"> {
  if (print === undefined) return {};
  const { sizePoints, contrastRatio } = print;
  return { sizePoints, ...(contrastRatio !== null && { contrastRatio }) };
}

/** Columns one after the other, lines from the top, and lines that belong together as one paragraph. */
export function orderParagraphs(pieces: readonly Piece[]): Paragraph[] {
  return joinParagraphs(cut(joinLines(pieces), 0));
}

/** Pieces that follow each other on one baseline with no wider gap than two letters. */
export function joinLines<Kind extends Piece>(pieces: readonly Kind[]): Kind[] {
  const lines: Kind[] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    const gap = line === undefined ? 0 : piece.region.x - (line.region.x + line.region.width);
    const height = Math.min(piece.region.height, line?.region.height ?? 0);
    const isSameLine =
      line !== undefined &&
      line.isHidden === piece.isHidden &&
      overlap(line.region, piece.region, "y") > height * 0.5 &&
      gap > -height * 0.5 &&
      gap < height * 1.2;
    if (!isSameLine) {
      lines.push({ ...piece });
      continue;
    }
    const needsSpace = gap > height * 0.15 && !/\s$/.test(line.text) && !/^\s/.test(piece.text);
    line.text += (needsSpace ? " " : "") + piece.text;
    line.region = union(line.region, piece.region);
    line.print = worse(line.print, piece.print);
  }
  return lines.filter((line) => line.text.trim() !== "");
}

/** Past this many lines the cutting, which sorts again at each step, would cost more than it gives. */
const maxLinesToCut = 3_000;

/**
 * Splits a set of lines where a white band runs through it: first upright between two columns of running text, else
 * level at the widest gap. A table has upright bands too, but short cells: it is read row by row.
 */
function cut(lines: Line[], depth: number): Line[] {
  if (lines.length < 2 || lines.length > maxLinesToCut || depth > 40) return byRows(lines);
  const columns = split(lines, "x", 0.015);
  if (columns !== null && columns.every(looksLikeProse)) return columns.flatMap((part) => cut(part, depth + 1));
  const rows = split(lines, "y", 0);
  return rows === null ? byRows(lines) : rows.flatMap((part) => cut(part, depth + 1));
}

function looksLikeProse(lines: Line[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.text.length, 0);
  return lines.length >= 3 && characters / lines.length >= 18;
}

/** In two at the widest band that no line crosses; null where there is none. */
function split(lines: Line[], axis: "x" | "y", leastGap: number): [Line[], Line[]] | null {
  const size = axis === "x" ? "width" : "height";
  const sorted = lines.toSorted((a, b) => a.region[axis] - b.region[axis]);
  let end = -Infinity;
  let widest = leastGap;
  let at = -1;
  for (const [index, { region }] of sorted.entries()) {
    if (index > 0 && region[axis] - end > widest) {
      widest = region[axis] - end;
      at = index;
    }
    end = Math.max(end, region[axis] + region[size]);
  }
  return at === -1 ? null : [sorted.slice(0, at), sorted.slice(at)];
}

function byRows(lines: Line[]): Line[] {
  return lines.toSorted((a, b) => {
    const isSameRow = overlap(a.region, b.region, "y") > Math.min(a.region.height, b.region.height) * 0.5;
    return isSameRow ? a.region.x - b.region.x : a.region.y - b.region.y;
  });
}

function joinParagraphs(lines: readonly Line[]): Paragraph[] {
  const paragraphs: (Paragraph & { last: Line })[] = [];
  for (const line of lines) {
    const current = paragraphs.at(-1);
    if (current !== undefined && belongsTo(current, line)) {
      current.text += `\n${line.text}`;
      current.region = union(current.region, line.region);
      current.print = worse(current.print, line.print);
      current.last = line;
    } else paragraphs.push({ ...line, last: line });
  }
  return paragraphs.map(({ text, region, isHidden, print }) => ({ text, region, isHidden, print }));
}

function worse(a: Print | undefined, b: Print | undefined): Print | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const ratios = [a.contrastRatio, b.contrastRatio].filter((ratio) => ratio !== null);
  return {
    sizePoints: Math.min(a.sizePoints, b.sizePoints),
    contrastRatio: ratios.length === 0 ? null : Math.min(...ratios),
  };
}

function belongsTo(paragraph: Paragraph & { last: Line }, line: Line): boolean {
  const { last } = paragraph;
  const gap = line.region.y - (last.region.y + last.region.height);
  const ratio = line.region.height / last.region.height;
  return (
    paragraph.isHidden === line.isHidden &&
    ratio > 0.8 &&
    ratio < 1.25 &&
    gap > -last.region.height * 0.5 &&
    gap < last.region.height * 0.7 &&
    overlap(paragraph.region, line.region, "x") > 0
  );
}

function overlap(a: Region, b: Region, axis: "x" | "y"): number {
  const size = axis === "x" ? "width" : "height";
  return Math.min(a[axis] + a[size], b[axis] + b[size]) - Math.max(a[axis], b[axis]);
}

function union(a: Region, b: Region): Region {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
