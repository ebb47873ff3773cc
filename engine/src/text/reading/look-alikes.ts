import { memoize } from "../../memoize.ts";
import { isKnownWord } from "./known-words.ts";
import { lemmaOf } from "./lemma.ts";
import type { RawToken } from "./tokenize.ts";

/** What a reader of pictures takes for something else, and what was probably there. */
const confusions: readonly (readonly [RegExp, string])[] = [
  [/0/g, "o"],
  [/1/g, "l"],
  [/1/g, "i"],
  [/5/g, "s"],
  [/8/g, "b"],
  [/3/g, "e"],
  [/4/g, "a"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
  [/ii/g, "u"],
  [/l/g, "i"],
  [/i/g, "l"],
];

/** Nobody reads "fr0m" or "guararnteed" as anything else. Words that are known stay as they are. */
export function repairTokens(text: string, tokens: readonly RawToken[]): RawToken[] {
  const repaired: RawToken[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) continue;
    const joined = joinedNumber(token, tokens[index + 1]);
    if (joined !== null) {
      repaired.push(joined);
      index += 1;
    } else if (token.kind !== "word" || token.folded.length < 3 || isWord(token.folded)) repaired.push(token);
    else repaired.push(...repairWord(text, token));
  }
  return repaired;
}

function isWord(word: string): boolean {
  return isKnownWord(word) || isKnownWord(lemmaOf(word));
}

/** "0mega" was cut into a figure and a word. */
function joinedNumber(number: RawToken, word: RawToken | undefined): RawToken | null {
  if (number.kind !== "number" || !/^[0158]$/.test(number.folded)) return null;
  if (word?.kind !== "word" || word.gap !== "joint" || word.start !== number.end || word.folded.length < 3) return null;
  // Nothing is counted in noughts: "0mega" is a word even though "mega" is one.
  if (number.folded !== "0" && isWord(word.folded)) return null;
  const folded = lookAlike(number.folded + word.folded);
  return folded === null ? null : { ...word, start: number.start, folded, gap: number.gap };
}

function repairWord(text: string, token: RawToken): RawToken[] {
  const { start, end, folded } = token;
  const known = lookAlike(folded);
  if (known !== null) return [{ ...token, folded: known }];
  const letters = text.slice(start, end);
  // "Facebook" is a name; "RISKFREE" and "riskfree" lost their space.
  if (letters.length !== folded.length || /^\p{Lu}\p{Ll}/u.test(letters)) return [token];
  const place = splitPlace(folded);
  if (place === 0) return [token];
  return [
    { ...token, end: start + place, folded: folded.slice(0, place) },
    { ...token, start: start + place, folded: folded.slice(place), gap: "joint" },
  ];
}

const lookAlike = memoize(20_000, findLookAlike);

/** One kind of confusion at a time, then two: more would make words out of anything. */
function findLookAlike(word: string): string | null {
  if (word.length < 4 || /^[a-z]\d+$|^\d+[a-z]$/.test(word)) return null;
  const once = confusions.map(([from, to]) => word.replaceAll(from, to)).filter((each) => each !== word);
  const first = once.find(isWord);
  if (first !== undefined) return first;
  if (!/\d/.test(word)) return null;
  return once.flatMap((each) => confusions.map(([from, to]) => each.replaceAll(from, to))).find(isWord) ?? null;
}

/** Words that are endings of others too: "legless" lost no space. */
const endings = new Set("less ness able ship hood like man men land son ton age ate ing est ful ism ist".split(" "));
/** "9.99 AMONTH": what prices and promises are counted in. */
const units = new Set("day week month year night minute bottle box capsule person child".split(" "));
const minHalf = 3;
const minWhole = 7;

/** Where a space is missing between two known words; 0: nowhere. The longer first word is the likelier. */
function splitPlace(word: string): number {
  if (word.startsWith("a") && units.has(word.slice(1))) return 1;
  if (word.length < minWhole || !/^[a-z]+$/.test(word)) return 0;
  for (let place = word.length - minHalf; place >= minHalf; place -= 1) {
    const rest = word.slice(place);
    if (isKnownWord(word.slice(0, place)) && isKnownWord(rest) && !endings.has(rest)) return place;
  }
  return 0;
}
