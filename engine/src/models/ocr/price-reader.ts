import type { Raster } from "../../evidence/pixels/raster.ts";
import { type Blank, findBlanks, widestOf } from "./blank-columns.ts";
import { findInk, type LineInk } from "./line-ink.ts";
import { drawInk } from "./line-picture.ts";
import type { Recognized } from "./recognize-line.ts";
import type { GrayPicture, Tesseract } from "./tesseract.ts";

/** Numbers that stand free or behind one of the letters that a sign of money is taken for. */
const numbers = /(?<![\p{L}\d.,:/-])([fFEeCcLtG&])?(\d+(?:[.,]\d+)*)(?![\d%:/+°])/gu;
const pricePattern = /([£€$¥EfFCce¢])\s?(\d+(?:[.,\s]\d+)*)/g;
/** What even the other reader takes a sign for, when it cannot be a letter because PP-OCR saw none. */
const lookalikes: Readonly<Record<string, string>> = { E: "£", f: "£", F: "£", C: "€", c: "€", e: "€", "¢": "€" };
/** In heights of the line. */
const leastSpace = 0.1;
const leastGlyph = 0.15;
const widestFigure = 0.75;

/**
 * Puts the signs of money into a line. PP-OCR knows neither £ nor €: it leaves them out or takes them for a letter. So
 * what stands before each number is looked at, and where there is something, sign and number are read by another
 * reader. The sign is taken when that one reads the same number behind it.
 */
export function createPriceReader(
  open: () => Promise<Tesseract>,
): (read: Recognized, line: Raster) => Promise<Recognized> {
  return async (read, line) => {
    let result = read;
    for (const match of [...read.text.matchAll(numbers)].toReversed()) {
      const [, letter = "", figures = ""] = match;
      const price = { start: match.index, figuresAt: match.index + letter.length, end: match.index + match[0].length };
      let sign: string | null = null;
      for (const picture of cutPrice(read, line, price)) {
        sign ??= signOf((await open())(picture).text, { figures, isLeftOut: letter === "" });
      }
      // No word is an f and figures: even where it cannot be read again, it is what PP-OCR makes of a pound.
      if (sign !== null || letter === "f") result = putSign(result, { ...price, sign: sign ?? "£" });
    }
    return result;
  };
}

type Price = { start: number; figuresAt: number; end: number };

/**
 * A number and what stands before it, alone, for the other reader; nothing where nothing stands before it. Two
 * attempts: over a moving picture letters are told from it better in one place or along the whole line.
 */
function cutPrice({ text, letters }: Recognized, line: Raster, price: Price): GrayPicture[] {
  const columnOf = (index: number) => Math.round((letters[index] ?? 0) * line.width);
  let before = price.start - 1;
  while (before >= 0 && text[before] === " ") before -= 1;
  const left = before < 0 ? 0 : columnOf(before);
  const right = Math.min(line.width, columnOf(price.end - 1) + Math.round(widestFigure * line.height));
  if (right - left < 4) return [];
  const place = {
    first: columnOf(price.figuresAt) - left,
    last: columnOf(price.end - 1) - left,
    isAtStart: before < 0,
    hasLetter: price.figuresAt > price.start,
  };
  const whole = findInk(line);
  const window = { from: left, to: right };
  const inks = [whole === null ? null : cutInk(whole, window), findInk(cutColumns(line, window))];
  return inks.flatMap((ink) => {
    const columns = ink === null ? null : findPrice(ink, place);
    return ink === null || columns === null ? [] : [drawInk(ink, columns)];
  });
}

function findPrice(
  ink: LineInk,
  price: { first: number; last: number; isAtStart: boolean; hasLetter: boolean },
): Blank | null {
  const space = price.isAtStart ? null : widestOf(findBlanks(ink, { from: 0, to: price.first }));
  if (!price.isAtStart && (space === null || space.to - space.from < leastSpace * ink.height)) return null;
  const from = space === null ? 0 : Math.floor((space.from + space.to) / 2);
  const to = findBlanks(ink, { from: price.last, to: ink.width })[0]?.to ?? ink.width;
  if (price.hasLetter) return { from, to };
  // The last gap before the figure parts it from its sign; without one the two touch, and are wide.
  const gap = findBlanks(ink, { from, to: price.first }).at(-1);
  if (price.first - (gap?.to ?? from) > widestFigure * ink.height) return { from, to };
  if (gap === undefined) return null;
  const blankBefore = findBlanks(ink, { from, to: gap.from }).reduce((sum, blank) => sum + blank.to - blank.from, 0);
  return gap.from - from - blankBefore >= leastGlyph * ink.height ? { from, to } : null;
}

function cutColumns(picture: Raster, columns: Blank): Raster {
  const pixels = cutPlane({ ...picture, values: picture.pixels, channels: 3 }, columns);
  return { width: columns.to - columns.from, height: picture.height, pixels };
}

function cutInk(ink: LineInk, columns: Blank): LineInk {
  const { width, height } = ink;
  const cut = (values: Uint8Array) => cutPlane({ width, height, values, channels: 1 }, columns);
  return { ...ink, width: columns.to - columns.from, mask: cut(ink.mask), coverage: cut(ink.coverage) };
}

function cutPlane(
  plane: { width: number; height: number; values: Uint8Array; channels: number },
  { from, to }: Blank,
): Uint8Array {
  const { width, height, values, channels } = plane;
  const length = (to - from) * channels;
  const cut = new Uint8Array(length * height);
  for (let row = 0; row < height; row += 1) {
    const start = (row * width + from) * channels;
    cut.set(values.subarray(start, start + length), row * length);
  }
  return cut;
}

/** The sign before a number that begins with the same figures: its last ones may be cut or covered. */
function signOf(text: string, { figures, isLeftOut }: { figures: string; isLeftOut: boolean }): string | null {
  const start = figures.replaceAll(/\D/g, "").slice(0, 2);
  for (const [, sign = "", others = ""] of text.matchAll(pricePattern)) {
    if (!others.replaceAll(/\D/g, "").startsWith(start)) continue;
    if (!Object.hasOwn(lookalikes, sign)) return sign;
    if (isLeftOut) return lookalikes[sign] ?? null;
  }
  return null;
}

function putSign(line: Recognized, { start, figuresAt, sign }: Price & { sign: string }): Recognized {
  const place = (line.letters[figuresAt] ?? 0) - 0.5 / Math.max(1, line.letters.length);
  return {
    ...line,
    text: line.text.slice(0, start) + sign + line.text.slice(figuresAt),
    letters: [...line.letters.slice(0, start), Math.max(0, place), ...line.letters.slice(figuresAt)],
  };
}
