import { isAscii } from "../ascii.ts";
import { smallLetters } from "../pattern.ts";
import type { Gap } from "./reading.ts";

/** A piece of text before anything is known about it. */
export type RawToken = { start: number; end: number; folded: string; kind: RawKind; gap: Gap };

export type RawKind = "word" | "number" | "symbol" | "emoji";

const space = 1;
const letter = 2;
const digit = 3;
const symbol = 4;
const apostrophe = 5;
const other = 6;
const emoji = 7;
const ignored = 8;

const symbols = "%£$€¥₹@#&+=<>°";

/** Sorts each code unit once: asking a regular expression for every character takes ten times as long. */
const sorts = new Uint8Array(65_536);

function sortOf(code: number): number {
  const known = sorts[code] ?? 0;
  if (known !== 0) return known;
  const character = String.fromCharCode(code);
  const sort = classify(character, code);
  sorts[code] = sort;
  return sort;
}

function classify(character: string, code: number): number {
  if (/\s/u.test(character)) return space;
  if (/\p{Nd}/u.test(character)) return digit;
  if (/['\u2018\u2019\u201B\u02BC\u2032`\u00B4]/u.test(character)) return apostrophe;
  if (symbols.includes(character)) return symbol;
  if (/[\u00AD\u200B-\u200F\u2060\uFEFF]|\uFE0F/u.test(character)) return ignored;
  if (code >= 0xd8_00 && code <= 0xdf_ff) return emoji;
  if (/[\p{L}\p{M}]/u.test(character)) return letter;
  if (/\p{Extended_Pictographic}|[\u2605\u2606]/u.test(character)) return emoji;
  return other;
}

/** Tokens in order. `breaks`: places at which a sentence surely ends, whatever the characters there. */
export function tokenize(text: string, breaks: readonly number[] = []): RawToken[] {
  const small = smallLetters(text);
  const tokens: RawToken[] = [];
  let gap: Gap = "space";
  let nextBreak = 0;
  let index = 0;
  const add = (end: number, kind: RawKind) => {
    tokens.push({ start: index, end, folded: foldWord(small.slice(index, end)), kind, gap });
    gap = "joint";
    index = end;
  };
  while (index < text.length) {
    const place = breaks[nextBreak];
    if (place !== undefined && index >= place) {
      nextBreak += 1;
      gap = "stop";
    }
    const code = small.charCodeAt(index);
    const sort = sortOf(code);
    if (sort === space) {
      if (gap === "joint") gap = "space";
      index += 1;
    } else if (sort === letter) {
      const end = wordEnd(small, index);
      splitWord(small, index, end).forEach((place) => add(place, "word"));
    } else if (sort === digit) {
      add(numberEnd(small, index), "number");
    } else if (sort === symbol) {
      add(index + 1, "symbol");
    } else if (sort === emoji) {
      const end = emojiEnd(text, index);
      if (/\p{L}/u.test(text.slice(index, end))) add(end, "word");
      else add(end, "emoji");
    } else {
      gap = widen(gap, small, index);
      index += 1;
    }
  }
  return tokens;
}

/** A word goes on over inner apostrophes, digits (B12, CO2) and the points of an abbreviation (e.g., U.S.). */
function wordEnd(small: string, start: number): number {
  let end = start;
  while (end < small.length) {
    const sort = sortOf(small.charCodeAt(end));
    if (sort === letter || sort === digit || sort === ignored) end += 1;
    else if (sort === apostrophe && isLetterAt(small, end + 1) && end > start) end += 1;
    else break;
  }
  return end - start === 1 ? abbreviationEnd(small, end) : end;
}

/** From the first letter of "u.s." to its last point. */
function abbreviationEnd(small: string, end: number): number {
  let last = end;
  while (small[last] === "." && isLetterAt(small, last + 1) && !isLetterAt(small, last + 2)) last += 2;
  return last > end && small[last] === "." ? last + 1 : last;
}

function isLetterAt(small: string, index: number): boolean {
  return index < small.length && sortOf(small.charCodeAt(index)) === letter;
}

function isDigitAt(small: string, index: number): boolean {
  return index < small.length && sortOf(small.charCodeAt(index)) === digit;
}

/** 1,000.50, 2nd, but not the stop after 7. */
function numberEnd(small: string, start: number): number {
  let end = start;
  while (isDigitAt(small, end) || ((small[end] === "." || small[end] === ",") && isDigitAt(small, end + 1))) end += 1;
  const ordinal = /^(?:st|nd|rd|th)(?![a-z])/.exec(small.slice(end, end + 3));
  return ordinal === null ? end : end + 2;
}

/** With its joiners, skin tones and the second half of a pair. */
function emojiEnd(text: string, start: number): number {
  const match =
    /^(?:\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic}|[\p{M}\p{EMod}])*|[^])/u.exec(
      text.slice(start, start + 24),
    );
  return start + (match?.[0].length ?? 1);
}

const negatedWithout = /^(?:do|does|did|is|are|was|were|would|could|should|have|has|had|ca|wo|ai)nt$/;

/** "don't" is two words, "do" and "not", however it is written; so are "you'll" and "cannot". */
function splitWord(small: string, start: number, end: number): number[] {
  if (end - start < 3) return [end];
  const word = small.slice(start, end);
  if (word === "cannot") return [end - 3, end];
  if (word.endsWith("nt") && negatedWithout.test(word)) return [end - 2, end];
  const mark = lastApostrophe(word);
  if (mark < 1) return [end];
  const tail = word.slice(mark + 1);
  if (tail === "t" && word[mark - 1] === "n" && mark > 1) return [start + mark - 1, end];
  return /^(?:s|ll|re|ve|d|m)$/.test(tail) ? [start + mark, end] : [end];
}

function lastApostrophe(word: string): number {
  for (let index = word.length - 1; index > 0; index -= 1) {
    if (sortOf(word.charCodeAt(index)) === apostrophe) return index;
  }
  return -1;
}

function foldWord(small: string): string {
  if (!/[^a-z0-9]/.test(small)) return small;
  const plain = small
    .replaceAll(/[\u2018\u2019\u201B\u02BC\u2032`\u00B4]/gu, "'")
    .replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/gu, "");
  if (/^\p{L}(?:\.\p{L})+\.?$/u.test(plain)) return plain.replaceAll(".", "");
  return /[^\0-\u007F]/u.test(plain) ? plain.normalize("NFKD").replaceAll(/\p{M}/gu, "") : plain;
}

/** The strongest mark between two tokens decides. */
const strength: Readonly<Record<Gap, number>> = {
  joint: 0,
  space: 1,
  quote: 2,
  comma: 3,
  dash: 4,
  bracket: 5,
  colon: 6,
  bullet: 7,
  stop: 8,
};

function widen(gap: Gap, small: string, index: number): Gap {
  const next = gapOf(small, index);
  return next !== null && strength[next] > strength[gap] ? next : gap;
}

function gapOf(small: string, index: number): Gap | null {
  const character = small[index] ?? "";
  const next = small[index + 1] ?? "";
  const isBeforeSpace = !(isAscii(next) ? /[A-Za-z0-9]/ : /[\p{L}\p{N}]/u).test(next);
  if (character === ".") return isBeforeSpace && !isNumberSign(small, index) ? "stop" : null;
  if (character === "!" || character === "?" || character === "\u2026" || character === "\u3002") return "stop";
  if (character === ",") return "comma";
  if (character === ";" || character === ":") return "colon";
  if (/["\u201C\u201D\u201E\u201F\u00AB\u00BB]/u.test(character)) return "quote";
  if (/[()[\]{}]/u.test(character)) return "bracket";
  if (/[\u2022\u00B7\u25AA\u25CF\u25A0\u2713\u2714|*]/u.test(character)) return "bullet";
  if (character === "\u2014" || character === "\u2013") return "dash";
  if (character === "-") return isBeforeSpace && /\s/u.test(small[index - 1] ?? " ") ? "dash" : null;
  return null;
}

/** "No. 1" is "number one", and no refusal. */
function isNumberSign(small: string, index: number): boolean {
  return (
    /^\. ?\d/u.test(small.slice(index, index + 3)) &&
    /(?:^|[^\p{L}])no$/u.test(small.slice(Math.max(0, index - 3), index))
  );
}
