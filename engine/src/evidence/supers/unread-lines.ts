import type { Box, ReadLine } from "../../models/read-line.ts";
import type { Omission, Region } from "../evidence.ts";
import { extentOf } from "./text-extent.ts";

/** Letters of these are read here and there, as others or one in three: what comes out is no text. */
const scripts: readonly [name: string, letters: RegExp, least?: number][] = [
  ["Chinese or Japanese", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Greek", /\p{Script=Greek}/gu],
  ["Cyrillic", /\p{Script=Cyrillic}/gu, 1],
];
/** Of a line: a sign for micro or ohm is not yet Greek. */
const leastLetters = 2;
const leastShare = 0.05;
const sureShort = 0.93;

/** The script of a line that the reader does not know; null: it is Latin, or cannot be told. */
export function foreignScript({ text, script }: { text: string; script?: string }): string | null {
  if (script !== undefined) return script;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [name, pattern, least = leastLetters] of scripts) {
    const count = text.match(pattern)?.length ?? 0;
    if (count > 0 && count >= Math.min(least, letters) && count >= leastShare * letters) return name;
  }
  return null;
}

export const unreadLine = "A line of text could not be read: its letters are not known to the reader or not clear.";

/** What of a still was seen and not read. */
export function omissionsOf(
  lines: readonly ReadLine[],
  { width, height }: { width: number; height: number },
): Omission[] {
  return lines.flatMap((line) => {
    const script = foreignScript(line);
    if (script === null && line.text !== "" && !isShortGuess(line)) return [];
    const what = script === null ? unreadLine : `Text in ${script} was not read.`;
    return [{ what, region: regionOf(line.box, { width, height }) }];
  });
}

/** Two or three letters that are no sure reading: a word of another script looks like that, and is too short to tell. */
function isShortGuess({ text, confidence }: ReadLine): boolean {
  return /^\p{L}{2,3}$/u.test(text.trim()) && confidence < sureShort;
}

/** In fractions of the picture. */
export function regionOf(box: Box, { width, height }: { width: number; height: number }): Region {
  const { left, right, top, bottom } = extentOf(box);
  const share = (value: number, whole: number) => Number((Math.min(whole, Math.max(0, value)) / whole).toFixed(4));
  const [x, y] = [share(left, width), share(top, height)];
  return {
    x,
    y,
    width: Number((share(right, width) - x).toFixed(4)),
    height: Number((share(bottom, height) - y).toFixed(4)),
  };
}
