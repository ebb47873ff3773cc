import { editDistance } from "../../edit-distance.ts";
import type { Models } from "../../models/models.ts";
import type { Box } from "../../models/read-line.ts";
import type { Region } from "../evidence.ts";
import type { Raster } from "../pixels/raster.ts";
import { cutPicture } from "../supers/text-tiles.ts";
import type { DraftRun, PageDraft } from "./page-draft.ts";
import { joinLines } from "./reading-order.ts";
import { readsLikeWords } from "./word-likeness.ts";

/** A line whose letters are told by nothing but a map in the file, to be compared with a reading of it. */
export type DoubtedLine = { page: number; font: string; text: string; region: Region };

const maxLinesPerFont = 4;
const maxLines = 12;
const leastLetters = 4;
/** A reader slips on a letter now and then; a map that lies gets most of them wrong. */
const maxDifference = 0.4;
const leastConfidence = 0.8;

/**
 * The lines by which each doubtful font is checked. Together they show as many of its letters as a few lines can, so
 * that a map that lies about some letters only is found as well.
 */
export function linesToCompare(drafts: readonly PageDraft[]): DoubtedLine[] {
  const byFont = new Map<string, DoubtedLine[]>();
  for (const { page, runs } of drafts) {
    const seen = runs.filter(({ isOutside, isHidden }) => !isOutside && !isHidden);
    for (const [font, own] of Map.groupBy(seen, (run) => run.font)) {
      if (!isDoubted(own)) continue;
      const known = byFont.get(font) ?? [];
      // One page shows most letters of a font; each further one must be drawn.
      if (known.length > 0 && known[0]?.page !== page && known.length >= maxLinesPerFont) continue;
      const lines = joinLines(own).map(({ text, region }) => ({ page, font, text, region }));
      byFont.set(font, [...known, ...lines.filter(({ text }) => lettersOf(text).length >= leastLetters)]);
    }
  }
  return [...byFont.values()].flatMap(coverLetters).slice(0, maxLines);
}

/** Whether a reading of the drawn line agrees with the text. Null: the reader is not sure enough to say. */
export async function compareLine(
  models: Pick<Models, "readText">,
  { picture, line }: { picture: Raster; line: DoubtedLine },
): Promise<{ isSame: boolean; shows: string } | null> {
  const says = lettersOf(line.text);
  if (!isLatin(line.text)) return null;
  const read = await readPlace(models, picture, line.region);
  const shows = lettersOf(read ?? "");
  if (read === null || shows.length < leastLetters) return null;
  const difference = editDistance(says, shows) / Math.max(says.length, shows.length);
  return { isSame: difference <= maxDifference && !areFiguresOther(says, shows), shows: read };
}

/** What stands at a place of the drawn page. Null: the reader is not sure enough to say. */
export async function readPlace(
  models: Pick<Models, "readText">,
  picture: Raster,
  region: Region,
): Promise<string | null> {
  const { tile, box } = placeOf(region, picture);
  const [read] = await models.readText(cutPicture(picture, tile), { boxes: [box] });
  return read === undefined || read.confidence < leastConfidence ? null : read.text;
}

function isDoubted(runs: readonly DraftRun[]): boolean {
  return runs.some(({ isMapped }) => isMapped) || !readsLikeWords(runs.map(({ text }) => text).join(" "));
}

function coverLetters(lines: readonly DoubtedLine[]): DoubtedLine[] {
  const covered = new Set<string>();
  const chosen: DoubtedLine[] = [];
  const candidates = lines.slice(0, 300).map((line) => ({ line, letters: new Set(lettersOf(line.text)) }));
  while (chosen.length < maxLinesPerFont) {
    const gain = ({ letters }: { letters: Set<string> }) =>
      [...letters].filter((letter) => !covered.has(letter)).length;
    const best = candidates.toSorted((a, b) => gain(b) - gain(a))[0];
    if (best === undefined || gain(best) === 0) break;
    chosen.push(best.line);
    for (const letter of best.letters) covered.add(letter);
  }
  return chosen;
}

/** Letters that look alike in some typefaces are one letter. */
function lettersOf(text: string): string[] {
  const plain = text.normalize("NFKD").toLowerCase().replaceAll(/[il|]/g, "1").replaceAll("o", "0");
  return plain.match(/[\p{L}\p{N}]/gu) ?? [];
}

function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return (
    letters.length > 0 && letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length >= letters.length / 2
  );
}

/** Figures at the same places, but other ones: the price is another. */
function areFiguresOther(says: readonly string[], shows: readonly string[]): boolean {
  if (says.length !== shows.length) return false;
  const differing = says.flatMap((letter, at) => (letter === shows[at] ? [] : [`${letter}${shows[at]}`]));
  return differing.length > 0 && differing.every((pair) => /^[2-9][2-9]$/.test(pair));
}

/** The line with a margin, and its box in there. */
function placeOf(
  { x, y, width, height }: Region,
  picture: Raster,
): { tile: { x: number; y: number; width: number; height: number }; box: Box } {
  const margin = Math.ceil(0.5 * height * picture.height);
  const [left, top] = [Math.floor(x * picture.width), Math.floor(y * picture.height)];
  const [right, bottom] = [Math.ceil((x + width) * picture.width), Math.ceil((y + height) * picture.height)];
  const [fromX, fromY] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  const tile = {
    x: fromX,
    y: fromY,
    width: Math.min(picture.width, right + margin) - fromX,
    height: Math.min(picture.height, bottom + margin) - fromY,
  };
  const at = (cornerX: number, cornerY: number) => ({ x: cornerX - fromX, y: cornerY - fromY });
  return { tile, box: [at(left, top), at(right, top), at(right, bottom), at(left, bottom)] };
}
