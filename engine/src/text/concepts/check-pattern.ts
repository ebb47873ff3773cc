import { valueKinds } from "../reading/reading.ts";
import { keysOfPhrase } from "./lexicon.ts";
import { periodDays, withins } from "./pattern-terms.ts";

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

export type PatternNames = { lexicons: ReadonlySet<string>; suggest: (name: string) => string };

/** Says what is wrong with a term as a person wrote it, and where. */
export function checkTerm(term: unknown, path: Path, names: PatternNames, report: Report): void {
  if (typeof term === "string") {
    if (names.lexicons.has(term)) return;
    report(path, `there is no lexicon ${term}${names.suggest(term)}; for plain words write { words: [${term}] }`);
    return;
  }
  if (typeof term !== "object" || term === null || Array.isArray(term)) {
    report(path, "must be the name of a lexicon, or one of { all }, { any }, { inOrder }, { words }, { value }");
    return;
  }
  const kind = (["any", "all", "inOrder", "words", "value"] as const).filter((key) => key in term);
  const [only] = kind;
  if (only === undefined || kind.length > 1) {
    report(path, "must have exactly one of all, any, inOrder, words, value");
    return;
  }
  const record = term as Record<string, unknown>;
  checkKeys(record, [only, ...(moreKeys[only] ?? [])], path, report);
  if (only === "words") checkWords(record["words"], [...path, "words"], report);
  else if (only === "value") checkValue(record, path, report);
  else checkTerms(record[only], [...path, only], names, report);
  if (record["without"] !== undefined) checkTerms(record["without"], [...path, "without"], names, report);
  if (record["within"] !== undefined) oneOf(record["within"], withins, [...path, "within"], report);
  const { near } = record;
  if (near !== undefined && (typeof near !== "number" || !Number.isInteger(near) || near < 0))
    report([...path, "near"], "must be a number of words");
}

const group = ["within", "near", "without"];
const moreKeys: Readonly<Record<string, readonly string[]>> = {
  all: group,
  inOrder: group,
  value: ["over", "atLeast", "under", "atMost", "per", "unit"],
};

export function checkTerms(list: unknown, path: Path, names: PatternNames, report: Report): void {
  if (!Array.isArray(list) || list.length === 0) report(path, "must be a list of terms");
  else list.forEach((term, index) => checkTerm(term, [...path, index], names, report));
}

function checkWords(words: unknown, path: Path, report: Report): void {
  if (!Array.isArray(words) || words.length === 0) report(path, "must be a list of words");
  else
    for (const [index, word] of words.entries()) {
      if (typeof word !== "string" || keysOfPhrase(word).length === 0)
        report([...path, index], "must be words in quotes");
    }
}

function checkValue(term: Record<string, unknown>, path: Path, report: Report): void {
  oneOf(term["value"], valueKinds, [...path, "value"], report);
  if (term["per"] !== undefined) oneOf(term["per"], Object.keys(periodDays), [...path, "per"], report);
  for (const key of ["over", "atLeast", "under", "atMost"]) {
    if (term[key] !== undefined && typeof term[key] !== "number") report([...path, key], "must be a number");
  }
}

function checkKeys(term: Record<string, unknown>, known: readonly string[], path: Path, report: Report): void {
  for (const key of Object.keys(term)) {
    if (!known.includes(key)) report([...path, key], `there is no such key: ${key}; there are ${known.join(", ")}`);
  }
}

function oneOf(value: unknown, known: readonly string[], path: Path, report: Report): void {
  if (typeof value !== "string" || !known.includes(value)) report(path, `must be one of ${known.join(", ")}`);
}
