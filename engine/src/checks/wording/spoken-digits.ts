import { hasPlainLetters } from "../../text/ascii.ts";
import { memoize } from "../../memoize.ts";

const digitWords: Readonly<Record<string, string>> = {
  oh: "0",
  o: "0",
  zero: "0",
  nought: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
};
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const teens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");

type Run = { start: number; end: number; value: string };

/** Digits that are said one by one: "oh seven seven double oh nine hundred". Each run with its place in the text. */
export function spokenDigits(text: string, least: number): Run[] {
  return runsIn(text).filter(({ value }) => value.length >= least);
}

const spokenWords = new Set([
  ...Object.keys(digitWords),
  ...tens,
  ...teens,
  "hundred",
  "thousand",
  "double",
  "triple",
  "treble",
]);

/** Without three of them nothing is said digit by digit. */
function hasThree(text: string): boolean {
  let found = 0;
  for (const word of text.toLowerCase().split(/[^a-z]+/)) if (spokenWords.has(word) && ++found === 3) return true;
  return false;
}

/** Several kinds of numbers are looked for in the same few texts, for market after market. */
const runsIn = memoize(16, findRuns);

function findRuns(text: string): Run[] {
  if (!hasThree(text)) return [];
  const words = Array.from(text.matchAll(hasPlainLetters(text) ? /[A-Za-z0-9]+/g : /[\p{L}\p{N}]+/gu), (match) => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const runs: Run[] = [];
  let value = "";
  let start = 0;
  let end = 0;
  let times = 1;
  let spoken = 0;
  let isTens = false;
  const close = () => {
    // Digits in figures alone are read where they are written.
    if (spoken >= 3) runs.push({ start, end, value });
    value = "";
    times = 1;
    spoken = 0;
  };
  for (const { word, start: from, end: to } of words) {
    const repeat = word === "double" ? 2 : word === "triple" || word === "treble" ? 3 : 0;
    const digits = repeat > 0 ? "" : digitsOf(word, value);
    if (digits === null || (value !== "" && /[.!?]/u.test(text.slice(end, from)))) {
      close();
      if (digits === null) continue;
    }
    if (value === "" && times === 1) start = from;
    if (!/^\d/.test(word)) spoken += 1;
    if (repeat > 0) times = repeat;
    else {
      // "seventy five" is 75; "seventy, fifty" is 7050.
      const isUnit = isTens && (digits ?? "").length === 1 && digits !== "0";
      value = isUnit ? `${value.slice(0, -1)}${digits}` : value + (digits ?? "").repeat(times);
      isTens = tens.includes(word);
      times = 1;
    }
    end = to;
  }
  close();
  return runs;
}

/** "hundred" after a digit is two zeros, "thousand" three. */
function digitsOf(word: string, before: string): string | null {
  const digit = digitWords[word];
  if (digit !== undefined) return digit;
  if (/^\d{1,6}$/.test(word)) return word;
  if (word === "hundred" && before !== "") return "00";
  if (word === "thousand" && before !== "") return "000";
  const ten = tens.indexOf(word);
  if (ten >= 0) return `${ten + 2}0`;
  const teen = teens.indexOf(word);
  return teen >= 0 ? String(teen + 10) : null;
}
