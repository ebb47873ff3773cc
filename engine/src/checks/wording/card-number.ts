import { type FoundDatum, maskEnds, type PersonalDatum } from "./personal-datum.ts";
import { spokenDigits } from "./spoken-digits.ts";

/**
 * What each scheme has issued: how its numbers begin, and how long they are. Old ranges are still on paper. Not
 * validator's isCreditCard: it knows 7 of these schemes (no Mir, RuPay, Troy, Dankort or Verve), and takes every number
 * from 51 to 55 with a right last digit for a Mastercard, however long it is.
 */
const schemes: readonly [name: string, start: RegExp, lengths: readonly number[]][] = [
  ["Visa", /^4/, [13, 16, 19]],
  ["Mastercard", /^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [16]],
  ["American Express", /^3[47]/, [15]],
  ["Discover", /^6(?:011|4[4-9]|5)/, [16, 17, 18, 19]],
  ["UnionPay", /^(?:62|81)/, [16, 17, 18, 19]],
  ["JCB", /^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  ["JCB, old", /^(?:1800|2131)/, [15]],
  ["Diners Club", /^3(?:0[0-5]|095|[689])/, [14, 15, 16, 17, 18, 19]],
  ["Maestro", /^(?:5018|5020|5038|5893|6304|6759|676[1-3]|0604)/, [12, 13, 14, 15, 16, 17, 18, 19]],
  ["Switch and Solo", /^(?:4903|4905|4911|4936|564182|633110|6333|6334|6767)/, [16, 18, 19]],
  ["Laser", /^(?:6706|6771|6709)/, [16, 17, 18, 19]],
  ["Mir", /^220[0-4]/, [16, 17, 18, 19]],
  ["RuPay", /^(?:60|65|81|82|508|353|356)/, [16]],
  ["Troy", /^9792/, [16]],
  ["Dankort", /^5019/, [16]],
  ["Bankcard", /^(?:5610|56022[1-5])/, [16]],
  ["InstaPayment", /^63[7-9]/, [16]],
  ["Verve", /^(?:506(?:0|1)|6500)/, [16, 18, 19]],
  ["UATP", /^1/, [15]],
];
/** Maestro is anything that begins so, which an order number does too: only where a card is spoken of. */
const broadMaestro = /^(?:5[06-8]|6)/;
const cardWords = /\b(?:cards?|maestro|visa|mastercard|debit|credit|expir(?:y|es)|cvv|cvc)\b/iu;

/** Whole numbers only: a spoken or typed series of 12 to 19 digits that an issuer could have given. */
export const cardNumber: PersonalDatum = {
  name: "a payment card number",
  find: (text) =>
    [...digitRuns(text), ...spokenDigits(text, 12)]
      .filter(({ value, start, end }) => isCard(value, text.slice(Math.max(0, start - 60), end + 60)))
      .map(maskEnds),
};

function digitRuns(text: string): Omit<FoundDatum, "masked">[] {
  // Few texts have that many digits, and the whole pattern is dear to compile.
  if (!/\d(?:[ .-]?\d){11}/.test(text)) return [];
  return Array.from(text.matchAll(/(?<![\p{N}\p{L}+.-])\d(?:[ .-]?\d){11,18}(?![\p{N}\p{L}-]|\.\d)/gu), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: match[0].replaceAll(/[ .-]/gu, ""),
  }));
}

function isCard(digits: string, around: string): boolean {
  const isIssued =
    schemes.some(([name, start, lengths]) => {
      const isSure = name !== "UATP" || cardWords.test(around);
      return isSure && start.test(digits) && lengths.includes(digits.length);
    }) ||
    (broadMaestro.test(digits) && digits.length <= 19 && cardWords.test(around));
  // A long run of zeros is how payment providers write the cards of their test systems.
  return isIssued && !/^(\d)\1+$|0{8}/.test(digits) && hasLuhnDigit(digits);
}

function hasLuhnDigit(digits: string): boolean {
  const sum = digits
    .split("")
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}
