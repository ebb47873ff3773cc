import { memoize } from "../../memoize.ts";
import { irregularNouns, irregularVerbs, smallNumbers, wordsOfTheirOwn } from "./irregular-forms.ts";
import { isKnownWord } from "./known-words.ts";

/** The dictionary form, by the word alone: the same spelling always has the same one, in a lexicon and in a text. */
export const lemmaOf = memoize(100_000, workOut);

const sameAs: ReadonlyMap<string, string> = new Map([...smallNumbers, ["percent", "%"], ["&", "and"], ["'re", "be"]]);

function workOut(word: string): string {
  const other = sameAs.get(word) ?? irregularNouns.get(word) ?? irregularVerbs.get(word);
  if (other !== undefined) return other;
  if (word.length < 4 || wordsOfTheirOwn.has(word) || !/^[a-z]+$/.test(word)) return word;
  return baseOf(singularOf(word));
}

/** Without the -s of a noun's plural or of a verb. */
function singularOf(word: string): string {
  if (!word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  const isSibilant = /(?:ss|sh|ch|x|zz|us)es$/.test(word) || (word.endsWith("oes") && !word.endsWith("shoes"));
  if (isSibilant && !isKnownWord(word.slice(0, -1))) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** The verb behind -ed and -ing, where there is one: "bring" and "red" are words of their own. */
function baseOf(word: string): string {
  const irregular = irregularVerbs.get(word);
  if (irregular !== undefined) return irregular;
  if (wordsOfTheirOwn.has(word)) return word;
  if (word.endsWith("ied") && word.length > 5) return `${word.slice(0, -3)}y`;
  const stem = word.endsWith("ed") ? word.slice(0, -2) : word.endsWith("ing") ? word.slice(0, -3) : "";
  if (stem.length < 2 || !/[aeiouy]/.test(stem)) return word;
  return stemsOf(stem).find(isKnownWord) ?? guess(stem);
}

/** What the stem may have been before its ending came, the likelier first. */
function stemsOf(stem: string): string[] {
  const isDoubled = stem.at(-1) === stem.at(-2);
  if (isDoubled) return /[ls]$/.test(stem) ? [stem, stem.slice(0, -1)] : [stem.slice(0, -1), stem, `${stem}e`];
  // "hop" would have doubled its p: "hoping" comes from "hope".
  const isShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(stem);
  return isShort || /[cvuz]$/.test(stem) ? [`${stem}e`, stem] : [stem, `${stem}e`];
}

function guess(stem: string): string {
  if (/([bdgklmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return /(?:[cvuz]|[^aeiou]l|[rndl]g|ns|[aiou][bdgkmnprst])$/.test(stem) ? `${stem}e` : stem;
}
