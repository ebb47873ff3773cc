import type { RawToken } from "./tokenize.ts";

/** A number in digits or in words, from a token on; `end` is the first token after it. */
export type ReadNumber = { amount: number; end: number };

const units = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, number) => [word, number]),
);
const tens = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, index) => [word, (index + 2) * 10]),
);
/** What a number in words can begin with. */
export const numberWords: readonly string[] = [...units.keys(), ...tens.keys()];

const scales = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["k", 1000],
  ["grand", 1000],
  ["million", 1_000_000],
  ["m", 1_000_000],
  ["mn", 1_000_000],
  ["billion", 1_000_000_000],
  ["bn", 1_000_000_000],
  ["lakh", 100_000],
  ["crore", 10_000_000],
  ["dozen", 12],
]);

/** The number that begins at this token, if one does. */
export function readNumber(tokens: readonly RawToken[], first: number): ReadNumber | null {
  const token = tokens[first];
  if (token === undefined) return null;
  if (token.kind === "number") return withScale(tokens, { amount: digitsOf(token.folded), end: first + 1 });
  if (token.kind !== "word") return null;
  if (token.folded === "half") return readHalf(tokens, first);
  if (token.folded === "a" || token.folded === "an") return readArticle(tokens, first);
  return units.has(token.folded) || tens.has(token.folded) ? readWords(tokens, first) : null;
}

/** "10k", "1.5 million", "2 and a half". */
function withScale(tokens: readonly RawToken[], number: ReadNumber): ReadNumber {
  const next = tokens[number.end];
  const scale = next !== undefined && !isBroken(next) ? scales.get(next.folded) : undefined;
  // "100 m" is a distance, "100m" an amount; so with "k".
  const isClose = next?.gap === "joint" || (next?.folded.length ?? 0) > 2;
  if (scale !== undefined && isClose) return { amount: number.amount * scale, end: number.end + 1 };
  return withHalf(tokens, number);
}

function withHalf(tokens: readonly RawToken[], number: ReadNumber): ReadNumber {
  const words = [0, 1, 2].map((offset) => tokens[number.end + offset]?.folded);
  return words[0] === "and" && words[1] === "a" && words[2] === "half"
    ? { amount: number.amount + 0.5, end: number.end + 3 }
    : number;
}

function readHalf(tokens: readonly RawToken[], first: number): ReadNumber {
  const isArticle = tokens[first + 1]?.folded === "a" || tokens[first + 1]?.folded === "an";
  return { amount: 0.5, end: first + (isArticle ? 2 : 1) };
}

/** "a hundred", "a couple of", "a dozen"; "a week" is one week, which the reader of units knows. */
function readArticle(tokens: readonly RawToken[], first: number): ReadNumber | null {
  const next = tokens[first + 1]?.folded ?? "";
  if (next === "couple") return { amount: 2, end: first + (tokens[first + 2]?.folded === "of" ? 3 : 2) };
  if (next === "few") return { amount: 3, end: first + 2 };
  if (next === "half") return { amount: 0.5, end: first + 2 };
  const scale = next.length > 2 ? scales.get(next) : undefined;
  return scale === undefined ? null : { amount: scale, end: first + 2 };
}

function readWords(tokens: readonly RawToken[], first: number): ReadNumber | null {
  let total = 0;
  let part = 0;
  let last = 0;
  /** "twenty nine" of "twenty nine ninety nine". */
  let pounds: number | null = null;
  let index = first;
  for (; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || (index > first && isBroken(token))) break;
    const word = token.folded;
    const unit = units.get(word);
    const ten = tens.get(word);
    const scale = word.length > 2 ? scales.get(word) : undefined;
    if (unit !== undefined && (last === 0 || (last >= 20 && unit < 10) || last === 100)) {
      part += unit;
      last = unit === 0 ? 1 : unit;
    } else if (ten !== undefined && (last === 0 || last === 100)) {
      part += ten;
      last = ten;
    } else if (ten !== undefined && part >= 10 && part < 100 && last !== 100) {
      // "nineteen ninety nine" is said in pairs.
      pounds = part;
      part = part * 100 + ten;
      last = ten;
    } else if (scale === 100 && part > 0 && part < 100) {
      part *= 100;
      last = 100;
    } else if (scale !== undefined && part > 0) {
      total += part * scale;
      part = 0;
      last = 0;
    } else if (word === "and" && last === 100 && isNumberWord(tokens[index + 1])) {
      continue;
    } else break;
  }
  if (pounds !== null && total === 0 && part < 10_000 && isPrice(tokens, { first, end: index, pounds })) {
    return { amount: part / 100, end: index };
  }
  if (tokens[index]?.folded === "point" && units.has(tokens[index + 1]?.folded ?? "")) {
    const tenth = units.get(tokens[index + 1]?.folded ?? "") ?? 0;
    return { amount: total + part + tenth / 10, end: index + 2 };
  }
  return withHalf(tokens, { amount: total + part, end: index });
}

/** Two pairs of figures are a price, but for those that begin a year, unless it is paid by the month. */
function isPrice(tokens: readonly RawToken[], pair: { first: number; end: number; pounds: number }): boolean {
  const [next = "", then = ""] = [tokens[pair.end]?.folded, tokens[pair.end + 1]?.folded];
  const isPaid = /^(?:per|each|pounds|dollars|euros|monthly|weekly|pcm)$/.test(next);
  const isByTime = /^(?:a|an|every)$/.test(next) && /^(?:month|week|day|year|night|bottle|pack|box)$/.test(then);
  return isPaid || isByTime || pair.pounds < 18 || pair.pounds > 20;
}

function isNumberWord(token: RawToken | undefined): boolean {
  return token !== undefined && (units.has(token.folded) || tens.has(token.folded));
}

function isBroken({ gap }: RawToken): boolean {
  return gap !== "space" && gap !== "joint";
}

/** "1,000.50" and "1.000,50" are the same amount; "4,5" is four and a half. */
function digitsOf(written: string): number {
  const digits = written.replace(/(?:st|nd|rd|th)$/, "");
  const last = Math.max(digits.lastIndexOf(","), digits.lastIndexOf("."));
  if (last < 0) return Number(digits);
  const mark = digits[last] ?? "";
  const isThousands = digits.length - last === 4 && (mark === "," || digits.split(mark).length > 2);
  if (isThousands) return Number(digits.replaceAll(/[.,]/g, ""));
  return Number(`${digits.slice(0, last).replaceAll(/[.,]/g, "")}.${digits.slice(last + 1)}`);
}
