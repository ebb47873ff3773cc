import { numberWords, readNumber } from "./number-words.ts";
import type { Value, ValueKind } from "./reading.ts";
import type { RawToken } from "./tokenize.ts";

const currencySigns: Readonly<Record<string, string>> = { "£": "GBP", $: "USD", "€": "EUR", "¥": "JPY", "₹": "INR" };
const currencyWords: Readonly<Record<string, [currency: string, factor: number]>> = {
  pound: ["GBP", 1],
  pounds: ["GBP", 1],
  quid: ["GBP", 1],
  gbp: ["GBP", 1],
  pence: ["GBP", 0.01],
  p: ["GBP", 0.01],
  dollar: ["USD", 1],
  dollars: ["USD", 1],
  buck: ["USD", 1],
  bucks: ["USD", 1],
  smackers: ["GBP", 1],
  usd: ["USD", 1],
  aud: ["AUD", 1],
  cad: ["CAD", 1],
  cents: ["USD", 0.01],
  euro: ["EUR", 1],
  euros: ["EUR", 1],
  eur: ["EUR", 1],
  rupee: ["INR", 1],
  rupees: ["INR", 1],
  inr: ["INR", 1],
};
/** Money without its currency: notes and sums by their nicknames. */
const moneyNames: Readonly<Record<string, number>> = { quid: 1, fiver: 5, tenner: 10, grand: 1000 };
const moneyAdjectives = new Set("cool whole measly mere lousy full tidy crisp".split(" "));
const kilograms: Readonly<Record<string, number>> = {
  kg: 1,
  kgs: 1,
  kilo: 1,
  kilos: 1,
  kilogram: 1,
  kilograms: 1,
  lb: 0.4536,
  lbs: 0.4536,
  stone: 6.35,
  stones: 6.35,
  oz: 0.0283,
  ounce: 0.0283,
  ounces: 0.0283,
  gram: 0.001,
  grams: 0.001,
};
const days: Readonly<Record<string, number>> = {
  second: 1 / 86_400,
  minute: 1 / 1440,
  min: 1 / 1440,
  hour: 1 / 24,
  hr: 1 / 24,
  day: 1,
  night: 1,
  weekend: 2,
  week: 7,
  wk: 7,
  fortnight: 14,
  month: 30,
  mth: 30,
  quarter: 91,
  year: 365,
  yr: 365,
  decade: 3650,
};
const adverbs: Readonly<Record<string, number>> = {
  hourly: 1 / 24,
  daily: 1,
  nightly: 1,
  weekly: 7,
  fortnightly: 14,
  monthly: 30,
  yearly: 365,
  annually: 365,
  overnight: 1,
  pw: 7,
  pcm: 30,
  pm: 30,
  pa: 365,
};

const losing =
  /^(?:los(?:e|es|ing|t)|shed(?:ding)?|drop(?:s|ped|ping)?|gain(?:s|ed|ing)?|melt(?:s|ed|ing)?|burn(?:s|ed|ing|t)?|weigh(?:s|ed|ing)?|slim(?:med|ming)?|shift(?:ed|ing)?|lighter|heavier|down)$/;

const multiples: Readonly<Record<string, number>> = {
  double: 2,
  doubled: 2,
  doubles: 2,
  doubling: 2,
  twice: 2,
  triple: 3,
  tripled: 3,
  treble: 3,
  trebled: 3,
  quadruple: 4,
  tenfold: 10,
};
const leads = "a an one per each every single half".split(" ");
const monthNames =
  "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec december".split(
    " ",
  );
const monthSet = new Set(monthNames);
/** The words that an amount can begin with: all others need no closer look. */
const starters = new Set([...leads, ...monthNames, ...numberWords, ...Object.keys(adverbs), ...Object.keys(multiples)]);

/** Everything with an amount, in order; none overlaps another. */
export function readValues(tokens: readonly RawToken[]): Value[] {
  const values: Value[] = [];
  for (let index = 0; index < tokens.length;) {
    const value = valueAt(tokens, index);
    if (value !== null) values.push(value);
    index = value === null ? index + 1 : value.endToken;
  }
  for (const [position, value] of values.entries()) value.perDays = perDaysOf(tokens, values, position, value);
  return values;
}

function valueAt(tokens: readonly RawToken[], first: number): Value | null {
  const token = tokens[first];
  if (token === undefined || (token.kind === "word" && !starters.has(token.folded))) return null;
  const sign = token.kind === "symbol" ? currencySigns[token.folded] : undefined;
  if (sign !== undefined) {
    const number = readNumber(tokens, first + 1);
    return number === null ? null : make("money", { first, end: number.end, amount: number.amount, unit: sign });
  }
  if (token.kind === "word") {
    const named = namedValue(tokens, first);
    if (named !== null) return named;
  }
  const date = dateAt(tokens, first);
  if (date !== null) return date;
  const number = readNumber(tokens, first);
  if (number === null) return null;
  return withUnit(tokens, { first, ...number });
}

type Counted = { first: number; end: number; amount: number };

function withUnit(tokens: readonly RawToken[], { first, end, amount }: Counted): Value {
  const next = tokens[end];
  const word = next === undefined || (next.gap !== "space" && next.gap !== "joint") ? "" : next.folded;
  if (word === "%" || word === "percent" || word === "pct") {
    return make("percentage", { first, end: end + 1, amount, unit: "%" });
  }
  if (word === "per" && tokens[end + 1]?.folded === "cent")
    return make("percentage", { first, end: end + 2, amount, unit: "%" });
  if (word === "x" || word === "times" || word === "fold") {
    return make("multiple", { first, end: end + 1, amount, unit: "times" });
  }
  const kilogramsEach = kilograms[word] ?? (isPoundOfWeight(tokens, first, end) ? 0.4536 : undefined);
  if (kilogramsEach !== undefined && word !== "")
    return make("weight", { first, end: end + 1, amount: amount * kilogramsEach, unit: word });
  const daysEach = days[word.replace(/s$/, "")];
  if (daysEach !== undefined) {
    const isAge = /^(?:year|month)s?$/.test(word) && tokens[end + 1]?.folded === "old";
    if (isAge) return make("age", { first, end: end + 2, amount: (amount * daysEach) / 365, unit: "years" });
    return make("duration", { first, end: end + 1, amount: amount * daysEach, unit: word });
  }
  // "five grand", "two tenners"
  if (tokens[end - 1]?.folded === "grand") return make("money", { first, end, amount, unit: "GBP" });
  const note = moneyNames[word.replace(/s$/, "")];
  if (note !== undefined) return make("money", { first, end: end + 1, amount: amount * note, unit: "GBP" });
  const money = currencyWords[word];
  if (money !== undefined && (word !== "p" || next?.gap === "joint")) {
    return make("money", { first, end: end + 1, amount: amount * money[1], unit: money[0] });
  }
  if (word === "+" && amount >= 10 && amount <= 30 && next?.gap === "joint") {
    return make("age", { first, end: end + 1, amount, unit: "years" });
  }
  return make("number", { first, end, amount, unit: null });
}

/** "lose ten pounds", "20 pounds of fat": not money. */
function isPoundOfWeight(tokens: readonly RawToken[], first: number, end: number): boolean {
  if (!/^pounds?$/.test(tokens[end]?.folded ?? "")) return false;
  if (tokens[end + 1]?.folded === "of" && /^(?:fat|weight|flab|body|belly)$/.test(tokens[end + 2]?.folded ?? ""))
    return true;
  if (/^(?:lighter|heavier|overweight|off)$/.test(tokens[end + 1]?.folded ?? "")) return true;
  return tokens.slice(Math.max(0, first - 4), first).some(({ folded }) => losing.test(folded));
}

/** Amounts without a number: "a week", "overnight", "a tenner", "double", "half a stone". */
function namedValue(tokens: readonly RawToken[], first: number): Value | null {
  const word = tokens[first]?.folded ?? "";
  const isOne = /^(?:a|an|one|per|each|every|single)$/.test(word);
  if (isOne) {
    const next = tokens[first + 1]?.folded ?? "";
    // "a cool grand"
    const noun = moneyAdjectives.has(next) ? first + 2 : first + 1;
    const money = moneyNames[tokens[noun]?.folded ?? ""];
    if (money !== undefined) return make("money", { first, end: noun + 1, amount: money, unit: "GBP" });
    if (kilograms[next] !== undefined)
      return make("weight", { first, end: first + 2, amount: kilograms[next], unit: next });
    if (days[next] !== undefined) return make("duration", { first, end: first + 2, amount: days[next], unit: next });
  }
  const adverb = adverbs[word];
  if (adverb !== undefined && word.length > 3)
    return make("duration", { first, end: first + 1, amount: adverb, unit: word });
  const multiple = multiples[word];
  return multiple === undefined ? null : make("multiple", { first, end: first + 1, amount: multiple, unit: "times" });
}

function dateAt(tokens: readonly RawToken[], first: number): Value | null {
  const folded = (offset: number) => tokens[first + offset]?.folded ?? "";
  const isDay = (word: string) => /^(?:[0-2]?\d|3[01])(?:st|nd|rd|th)?$/.test(word);
  const isYear = (word: string) => /^(?:19|20)\d\d$/.test(word);
  const whole = (length: number) => make("date", { first, end: first + length, amount: null, unit: null });
  if (
    isDay(folded(0)) &&
    tokens[first + 1]?.gap === "joint" &&
    isDay(folded(1)) &&
    /^(?:\d\d|(?:19|20)\d\d)$/.test(folded(2)) &&
    tokens[first + 2]?.gap === "joint"
  )
    return whole(3);
  if (isYear(folded(0)) && tokens[first + 1]?.gap === "joint" && isDay(folded(1)) && isDay(folded(2))) return whole(3);
  if (isDay(folded(0)) && folded(1) === "of" && monthSet.has(folded(2))) return whole(isYear(folded(3)) ? 4 : 3);
  if (isDay(folded(0)) && monthSet.has(folded(1))) return whole(isYear(folded(2)) ? 3 : 2);
  if (monthSet.has(folded(0)) && folded(0) !== "may" && isDay(folded(1))) return whole(isYear(folded(2)) ? 3 : 2);
  return null;
}

/** What time an amount is for: "a week" right after it, or "in three weeks" near it. */
function perDaysOf(
  tokens: readonly RawToken[],
  values: readonly Value[],
  position: number,
  value: Value,
): number | null {
  if (value.kind === "duration" || value.kind === "date") return null;
  const after = tokens[value.endToken]?.folded ?? "";
  const short = adverbs[after];
  if (short !== undefined) return short;
  const next = values[position + 1];
  if (next?.kind === "duration" && next.endToken - value.endToken <= 8 && next.firstToken - value.endToken <= 6) {
    const between = tokens.slice(value.endToken, next.firstToken + 1).map(({ folded }) => folded);
    const isRate =
      next.firstToken === value.endToken ||
      between.some((word) => /^(?:in|within|over|per|each|every|after|inside|under)$/.test(word));
    if (isRate) return next.amount;
  }
  const before = values[position - 1];
  if (before?.kind === "duration" && value.firstToken - before.endToken <= 6) {
    const lead = tokens.slice(Math.max(0, before.firstToken - 3), before.firstToken + 1).map(({ folded }) => folded);
    if (lead.some((word) => /^(?:in|within|after|every|inside)$/.test(word))) return before.amount;
  }
  return null;
}

function make(
  kind: ValueKind,
  value: { first: number; end: number; amount: number | null; unit: string | null },
): Value {
  return {
    kind,
    firstToken: value.first,
    endToken: value.end,
    amount: value.amount,
    unit: value.unit,
    perDays: null,
  };
}
