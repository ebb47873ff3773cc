import { findBlanks } from "./blank-columns.ts";
import { findInk, type LineInk } from "./line-ink.ts";
import type { Recognized } from "./recognize-line.ts";
import type { Raster } from "../../evidence/pixels/raster.ts";

/** A plus between figures or words may be one; alone before or behind a word it may be a footnote mark. */
const mark = /†|^#(?=\s?\p{L})|(?<![\d\s+])\+(?=\s|$)|(?<=^|\s)\+(?=\s)/gu;
/** In heights of the line: how far from where the reader saw it a mark is looked for. */
const reach = 0.7;
/** Of the widest row: a bar, and what is no more than the stem. */
const barWidth = 0.65;
const stemWidth = 0.55;
/** From the top of the mark, of its height: the bar of a dagger is high, that of a plus in the middle. */
const highBar = 0.42;

/** The reader gives a plus or a t for both daggers: their bars tell them apart. */
export function tellDaggers(read: Recognized, line: Raster): Recognized {
  const places = [...read.text.matchAll(mark)].map(({ index }) => index);
  const ink = places.length === 0 ? null : findInk(line);
  if (ink === null) return read;
  const characters = Array.from(read.text);
  // Letters and places are counted alike only where every character is one unit.
  if (characters.length !== read.text.length) return read;
  for (const place of places) {
    const shape = shapeAt(ink, (read.letters[place] ?? 1) * ink.width);
    // A number sign has two stems: only two bars on one stem are another mark.
    if (shape !== null && (characters[place] !== "#" || shape === "‡")) characters[place] = shape;
  }
  return { ...read, text: characters.join("") };
}

function shapeAt(ink: LineInk, centre: number): "†" | "‡" | null {
  const span = Math.round(reach * ink.height);
  const [from, to] = [Math.max(0, Math.round(centre) - span), Math.min(ink.width, Math.round(centre) + span)];
  const blanks = findBlanks(ink, { from, to });
  // The pieces between blanks; the one whose middle is nearest is the mark.
  const edges = [{ from, to: from }, ...blanks, { from: to, to }];
  const pieces = edges.slice(1).map((blank, index) => ({ from: edges[index]?.to ?? from, to: blank.from }));
  const [piece] = pieces
    .filter((each) => each.to - each.from >= 3 && each.from > 0)
    .toSorted((a, b) => Math.abs((a.from + a.to) / 2 - centre) - Math.abs((b.from + b.to) / 2 - centre));
  return piece === undefined ? null : shapeOf(rowWidths(ink, piece));
}

function rowWidths({ width, height, mask }: LineInk, { from, to }: { from: number; to: number }): number[] {
  const widths = Array.from({ length: height }, (_, row) =>
    mask.subarray(row * width + from, row * width + to).reduce((sum, value) => sum + value, 0),
  );
  const first = widths.findIndex((value) => value > 0);
  return first < 0 ? [] : widths.slice(first, widths.findLastIndex((value) => value > 0) + 1);
}

function shapeOf(widths: number[]): "†" | "‡" | null {
  const widest = Math.max(0, ...widths);
  const stem = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? widest;
  // A mark is higher than wide, and its stem is thin.
  if (widths.length < 1.2 * widest || stem > stemWidth * widest || widths.some((value) => value === 0)) return null;
  const bars: { from: number; to: number }[] = [];
  for (const [row, value] of widths.entries()) {
    if (value < barWidth * widest) continue;
    const last = bars.at(-1);
    if (last !== undefined && last.to === row) last.to = row + 1;
    else bars.push({ from: row, to: row + 1 });
  }
  const [bar] = bars;
  if (bars.length === 2) return "‡";
  return bars.length === 1 && bar !== undefined && bar.to < highBar * widths.length ? "†" : null;
}
