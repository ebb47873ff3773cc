import { findBlanks, widestOf } from "./blank-columns.ts";
import type { LineInk } from "./line-ink.ts";
import type { Recognized } from "./recognize-line.ts";

/** Over a busy picture gaps are full of it, and thin letters seem to have gaps of their own. */
const leastClarity = 0.6;
/** In heights of the crop, which is about one and a half times that of a capital. */
const leastSpace = 0.15;
/** A space is so much wider than every gap within a word, and about as wide as the spaces that were read. */
const widerThanGap = 1.5;
const likeOthers = 0.75;
/** Words of the language are seldom longer; capitals are run together more often. */
const suspiciousWord = /^(?:[A-Z0-9'&]{7,}|[A-Za-z0-9'&]{12,})[.,:;!?]?$/;
/** The points of a web address stand as free as those between sentences. */
const address =
  /^(?:www\.|https?:)|[a-z\d]\.(?:app|au|ca|co|com|de|edu|eu|fr|gov|ie|in|info|io|net|org|shop|tv|uk|us)\b|@/i;
/** Between these two characters hardly any word goes on. */
const suspiciousPlace = /^(?:[a-z][A-Z]|[a-z)]\d|\d[a-zA-Z]|[.,;:!?][A-Za-z]|[;!?]\d|[a-z]\(|%[A-Za-z])$/;
/** A gap in such a place needs to be only so much like the spaces that were read. */
const likeEnough = 0.6;

/** As many spaces in a line as say how wide they are in it. */
const enoughSpaces = 3;

type Letter = { character: string; place: number };

/**
 * Puts spaces where the gap between two letters is one: the reader, which learnt on Chinese, runs words together,
 * capitals most of all. Where gaps do not fall into two clear sizes, nothing is changed.
 */
export function restoreSpaces(line: Recognized, ink: LineInk): Recognized {
  if (ink.clarity < leastClarity) return line;
  const words = splitWords(line);
  const gap = (before: Letter | undefined, after: Letter | undefined) => {
    const from = Math.floor((before?.place ?? 0) * ink.width);
    const widest = widestOf(findBlanks(ink, { from, to: Math.ceil((after?.place ?? 0) * ink.width) }));
    return widest === null ? 0 : widest.to - widest.from;
  };
  const spaces = words.slice(1).map((word, index) => gap(words[index]?.at(-1), word[0]));
  const usual = spaces.toSorted((a, b) => a - b)[Math.floor(spaces.length / 2)] ?? 0;
  const least = Math.max(leastSpace * ink.height, likeOthers * usual);
  const parted = words.flatMap((word) => {
    const gaps = word.slice(1).map((letter, index) => gap(word[index], letter));
    if (address.test(textOf(word))) return [word];
    if (suspiciousWord.test(textOf(word))) return part(word, { gaps, least });
    if (spaces.length >= enoughSpaces && hasOneWideGap(gaps, { least, ink })) return part(word, { gaps, least });
    return partAt(word, (index) => {
      const places = textOf(word.slice(index - 1, index + 1));
      return (
        suspiciousPlace.test(places) && (gaps[index - 1] ?? 0) >= Math.max(leastSpace * ink.height, likeEnough * usual)
      );
    });
  });
  return parted.length === words.length ? line : { ...line, ...join(parted) };
}

/** A gap as wide as a space, and twice as wide as every other in the word: two words of any length. */
function hasOneWideGap(gaps: number[], { least, ink }: { least: number; ink: LineInk }): boolean {
  const [widest = 0, next = 0] = gaps.toSorted((a, b) => b - a);
  return gaps.length >= 4 && widest >= Math.max(least, 0.2 * ink.height) && widest >= 2 * next;
}

/** A word at its wide gaps, or as it is when what comes out does not look like words. */
function part(word: Letter[], { gaps, least }: { gaps: number[]; least: number }): Letter[][] {
  const narrow = Math.max(1, ...gaps.filter((width) => width < least));
  if (gaps.some((width) => width >= least && width < widerThanGap * narrow)) return [word];
  const parts = partAt(word, (index) => (gaps[index - 1] ?? 0) >= least);
  const areWords = parts.every((letters) => letters.length > 1 || /^[AaI&0-9]$/.test(textOf(letters)));
  return areWords && word.length / parts.length >= 2.5 ? parts : [word];
}

function partAt(word: Letter[], isSpaceBefore: (index: number) => boolean): Letter[][] {
  const parts: Letter[][] = [[]];
  for (const [index, letter] of word.entries()) {
    if (index > 0 && isSpaceBefore(index)) parts.push([]);
    parts.at(-1)?.push(letter);
  }
  return parts;
}

function splitWords({ text, letters }: Recognized): Letter[][] {
  const words: Letter[][] = [[]];
  for (const [index, character] of Array.from(text).entries()) {
    if (character === " ") words.push([]);
    else words.at(-1)?.push({ character, place: letters[index] ?? 1 });
  }
  return words.filter((word) => word.length > 0);
}

function join(words: Letter[][]): { text: string; letters: number[] } {
  const letters = words.flatMap((word, index) => {
    const before = words[index - 1]?.at(-1)?.place;
    const place = ((before ?? 0) + (word[0]?.place ?? 0)) / 2;
    return index === 0 ? word : [{ character: " ", place }, ...word];
  });
  return { text: textOf(letters), letters: letters.map(({ place }) => place) };
}

function textOf(letters: Letter[]): string {
  return letters.map(({ character }) => character).join("");
}
