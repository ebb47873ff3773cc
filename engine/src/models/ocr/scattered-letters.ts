import type { Raster } from "../../evidence/pixels/raster.ts";
import type { Box, Point, ReadLine } from "../read-line.ts";
import { cropLine } from "./crop-line.ts";
import { countLetters } from "./count-letters.ts";
import { boxOf, frameOf, type LineFrame } from "./line-frame.ts";
import type { Recognized } from "./recognize-line.ts";
import { leastConfidence } from "./second-reading.ts";

/** Width of a letter or a pair in its heights: what is wider is a word, what is narrower a stroke. */
const letterWidths = { least: 0.35, most: 1.6, pair: 3.4 };
/** Letters of one word are about as large as each other, and no further apart than this many of their heights. */
const likeSize = 1.6;
const widestGap = 2;
const leastLetters = 3;
/** Of a height: letters that stand one above the other have one middle. */
const sameColumn = 0.45;
/** A guess at a letter: what is read with less is more often a thing. */
const likelyLetter = 0.5;
const sureWord = 0.8;
const maxMissing = 2;
/** Pixels between the letters of a stacked word when they are put side by side, of their height. */
const spacing = 0.12;
/** Letters in a box that reads as nothing: so many are no texture. */
const leastInBox = 5;

type Letter = { line: ReadLine; x: number; y: number; height: number };

type Tools = { picture: Raster; recognize: (line: Raster) => Promise<Recognized> };

/**
 * Letters that stand one above the other are read as a word; those that stand along a curve cannot be, and are named.
 * `lines`: every box of the picture, also those that were not read.
 */
export async function gatherScattered(lines: readonly ReadLine[], tools: Tools): Promise<ReadLine[]> {
  const letters = lines.flatMap(letterOf);
  const used = new Set<ReadLine>();
  const found: ReadLine[] = [];
  for (const group of groupsOf(letters)) {
    const read = group.filter(({ line }) => line.confidence >= likelyLetter && /\p{L}/u.test(line.text));
    // Figures around a clock or down a calendar are read one by one.
    if (read.length < leastLetters || read.length < group.length / 2) continue;
    const columns = columnsOf(group);
    if (columns === null && read.every(({ line }) => line.confidence >= 0.97)) continue;
    for (const { line } of group) used.add(line);
    if (columns === null) found.push(unreadOf(group.map(({ line }) => line.box)));
    else for (const column of columns) found.push(await readColumn(column, tools));
  }
  const rest = lines.filter((line) => !used.has(line));
  return [...rest.map((line) => (isCurved(line, tools.picture) ? unreadOf([line.box]) : line)), ...found];
}

/** A box that reads as next to nothing and holds many letters: they stand along a curve. */
function isCurved(line: ReadLine, picture: Raster): boolean {
  const read = line.confidence >= leastConfidence ? (line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) : 0;
  if (read >= leastInBox || line.script !== undefined) return false;
  const crop = cropLine(picture, line.box);
  return crop !== null && countLetters(crop) >= Math.max(leastInBox, 3 * read);
}

function letterOf(line: ReadLine): Letter[] {
  const { left, right, top, bottom } = uprightOf(line.box);
  const [width, height] = [right - left, bottom - top];
  const letters = Array.from(line.text.replaceAll(/\s/gu, ""));
  const most = letters.length === 2 ? letterWidths.pair : letterWidths.most;
  if (letters.length > 2 || width < letterWidths.least * height || width > most * height) return [];
  return [{ line, x: (left + right) / 2, y: (top + bottom) / 2, height }];
}

function groupsOf(letters: readonly Letter[]): Letter[][] {
  const groups: Letter[][] = [];
  for (const letter of letters) {
    const near = groups.filter((group) => group.some((other) => areNear(other, letter)));
    const joined = [...near.flat(), letter];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups.filter((group) => group.length >= leastLetters);
}

function areNear(one: Letter, other: Letter): boolean {
  const [small, large] = [Math.min(one.height, other.height), Math.max(one.height, other.height)];
  return large <= likeSize * small && Math.hypot(one.x - other.x, one.y - other.y) <= widestGap * large;
}

/** The boxes of each letter from the top down; null: they do not stand one above the other. */
function columnsOf(group: readonly Letter[]): Box[][] | null {
  const rows = group.toSorted((a, b) => a.y - b.y);
  const isPair = ({ line }: Letter) => Array.from(line.text.replaceAll(/\s/gu, "")).length === 2;
  const pairs = rows.filter(isPair);
  const cells = rows.flatMap((letter) => (pairs.length < 2 || !isPair(letter) ? [letter.line.box] : halves(letter)));
  const columns: Box[][] = [];
  for (const cell of cells) {
    const { left, right, top, bottom } = uprightOf(cell);
    const column = columns.find(([first]) => {
      const other = first === undefined ? null : uprightOf(first);
      return other !== null && Math.abs(other.left + other.right - left - right) / 2 <= sameColumn * (bottom - top);
    });
    if (column === undefined) columns.push([cell]);
    else column.push(cell);
  }
  return columns.length <= 2 && columns.every((column) => column.length >= leastLetters) ? columns : null;
}

function halves({ line }: Letter): Box[] {
  const frame = uprightOf(line.box);
  const middle = (frame.left + frame.right) / 2;
  return [boxOf({ ...frame, right: middle }), boxOf({ ...frame, left: middle })];
}

/** Puts the letters side by side, as a line. */
async function readColumn(boxes: readonly Box[], { picture, recognize }: Tools): Promise<ReadLine> {
  const crops = withMissing(boxes).flatMap((box) => cropLine(picture, box) ?? []);
  const line = sideBySide(crops);
  const unread = unreadOf(boxes);
  if (line === null) return unread;
  const { text, confidence } = await recognize(line);
  const word = text.normalize("NFKC").replaceAll(/\s/gu, "");
  const isWhole = Array.from(word).length >= 0.7 * crops.length;
  const letterHeight = Math.max(...boxes.map(uprightOf).map(({ top, bottom }) => bottom - top));
  return confidence >= sureWord && isWhole ? { ...unread, text: word, confidence, letterHeight } : unread;
}

/** A thin letter, as an I, is overlooked: where the next one is twice as far away there is one between. */
function withMissing(boxes: readonly Box[]): Box[] {
  const frames = boxes.map(uprightOf).toSorted((a, b) => a.top - b.top);
  const middles = frames.map(({ top, bottom }) => (top + bottom) / 2);
  const steps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0));
  const pitch = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0;
  return frames.flatMap((frame, index) => {
    const missing = pitch > 0 ? Math.round((steps[index] ?? pitch) / pitch) - 1 : 0;
    const between = Array.from({ length: Math.min(missing, maxMissing) }, (_, count) => {
      const down = ((steps[index] ?? 0) * (count + 1)) / (missing + 1);
      return { ...frame, top: frame.top + down, bottom: frame.bottom + down };
    });
    return [frame, ...between].map(boxOf);
  });
}

function sideBySide(crops: readonly Raster[]): Raster | null {
  const [first] = crops;
  if (first === undefined) return null;
  const height = Math.max(...crops.map((crop) => crop.height));
  const gap = Math.round(spacing * height);
  const width = crops.reduce((sum, crop) => sum + crop.width + gap, gap);
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) pixels.set(first.pixels.subarray(0, 3), at);
  let left = gap;
  for (const crop of crops) {
    const down = Math.floor((height - crop.height) / 2);
    for (let row = 0; row < crop.height; row += 1) {
      const from = row * crop.width * 3;
      pixels.set(crop.pixels.subarray(from, from + crop.width * 3), ((row + down) * width + left) * 3);
    }
    left += crop.width + gap;
  }
  return { width, height, pixels };
}

function uprightOf(box: Box): LineFrame {
  return frameOf(box, { x: 1, y: 0 });
}

function unreadOf(boxes: readonly Box[]): ReadLine {
  const points: Point[] = boxes.flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const frame = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  return {
    text: "",
    confidence: 0,
    box: boxOf({ direction: { x: 1, y: 0 }, ...frame }),
    letters: [],
    isLettering: true,
  };
}
