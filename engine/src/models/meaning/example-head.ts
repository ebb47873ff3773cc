import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memoize } from "../../memoize.ts";
import type { TokenSpan } from "../../text/reading/stance.ts";
import { type Features, featuresOf, gateOf, type ReadExample, readExample } from "./example-features.ts";
import { type TrainingText, textsFolder } from "./training-texts.ts";

/**
 * Examples of a rule of one's own: what it must find, and what it must leave alone. `onlyWith`: words of which one must
 * stand in what it finds.
 */
export type Examples = { fails: readonly string[]; passes: readonly string[]; onlyWith?: readonly string[] };

/** A head learned from the examples of one rule. A text is found when its score is at least 0. */
export type ExampleHead = {
  score: (read: ReadExample, part?: TokenSpan) => number;
  /** The words that say most for it. */
  weightiest: (read: ReadExample, part?: TokenSpan) => string[];
  separation: Separation;
};

/** How well the examples are told apart when each is judged by a head that did not learn from it. */
export type Separation = {
  found: number;
  fails: number;
  quiet: number;
  passes: number;
  mistaken: string[];
  /** The share of honest sentences about other things that it finds. */
  elsewhere: number;
};

export const minExamples = 10;

/** Learned when first needed, from the same examples only once. */
export const exampleHead: (examples: Examples) => ExampleHead = memoize(200, learnFrom, JSON.stringify);

/** `isOpen`: it has a word that it must have to be found. */
type Item = { text: string; features: Features; isOffending: boolean; isOpen: boolean };

/** How often each feature is met in the texts to be found, in those to be left alone, and in copy of all kinds. */
type Counts = { found: Map<string, number>; left: Map<string, number>; fails: number; passes: number };

function learnFrom({ fails, passes, onlyWith = [] }: Examples): ExampleHead {
  const isOpen = gateOf(onlyWith);
  const itemOf = (text: string, isOffending: boolean): Item => {
    const read = readExample(text);
    return { text, features: featuresOf(read), isOffending, isOpen: isOpen(read) };
  };
  const items = [...fails.map((text) => itemOf(text, true)), ...passes.map((text) => itemOf(text, false))];
  const counts = countAll(items);
  const scoreOf = (features: Features) => scoreBy(counts, features);
  const alone = items.map((item): Judged => {
    const others = countAll(items.filter((other) => other !== item));
    return { item, score: item.isOpen ? scoreBy(others, item.features) : -Infinity };
  });
  const usual = background().texts.flatMap(({ read, features }) => (isOpen(read) ? [scoreOf(features)] : []));
  const border = keepPromises(borderOf(alone, usual), items, scoreOf);
  const isRight = ({ item, score }: Judged) => score >= border === item.isOffending;
  return {
    score: (read, part) => (isOpen(read, part) ? scoreOf(featuresOf(read, part)) - border : -Infinity),
    weightiest: (read, part) => weightiestOf(counts, featuresOf(read, part)),
    separation: {
      fails: fails.length,
      found: alone.filter((each) => each.item.isOffending && isRight(each)).length,
      passes: passes.length,
      quiet: alone.filter((each) => !each.item.isOffending && isRight(each)).length,
      mistaken: alone.filter((each) => !isRight(each)).map(({ item }) => item.text),
      elsewhere: usual.filter((score) => score >= border).length / background().texts.length,
    },
  };
}

function countAll(items: readonly Item[]): Counts {
  const counts: Counts = { found: new Map(), left: new Map(), fails: 0, passes: 0 };
  for (const { features, isOffending } of items) {
    const list = isOffending ? counts.found : counts.left;
    if (isOffending) counts.fails += 1;
    else counts.passes += 1;
    for (const key of features.keys()) list.set(key, (list.get(key) ?? 0) + 1);
  }
  return counts;
}

function scoreBy(counts: Counts, features: Features): number {
  let sum = 0;
  for (const [key, share] of features) sum += share * weightOf(counts, key);
  return sum;
}

/** Twenty examples say little about a word: as much as so many texts of all kinds are added to both sides. */
const prior = 8;
/** A word of one example alone may well be there by chance. */
const shareOfSingle = 0.35;
const shareAgainst = 0.8;

/** How much a feature says for the rule (naive Bayes): how much oftener it is met in its fails than in its passes. */
function weightOf({ found, left, fails, passes }: Counts, key: string): number {
  const inFails = found.get(key) ?? 0;
  const inPasses = left.get(key) ?? 0;
  if (inFails + inPasses === 0) return 0;
  const { texts, counts } = background();
  const usual = (prior * ((counts.get(key) ?? 0) + 0.5)) / (texts.length + 1);
  const weight = Math.log(((inFails + usual) * (passes + prior)) / ((inPasses + usual) * (fails + prior)));
  return weight * (inFails + inPasses === 1 ? shareOfSingle : 1) * (weight < 0 ? shareAgainst : 1);
}

function weightiestOf(counts: Counts, features: Features): string[] {
  return Array.from(features.keys(), (key) => ({ key, weight: weightOf(counts, key) }))
    .filter(({ key, weight }) => weight > 0.5 && /^(?:word [^<]|concept )/.test(key))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 5)
    .map(({ key }) => key.replace(/^word /, "").replace(/^concept (.*)$/, "$1 (a list of words)"));
}

/** How many mistakes it is worth that all copy of the world were alarmed about. */
const priceOfAlarms = 60;

type Judged = { item: Item; score: number };

/** Where it makes the fewest mistakes; a rule of twenty examples must not speak about the rest of the world. */
function borderOf(alone: readonly Judged[], usual: readonly number[]): number {
  const places = alone
    .map(({ score }) => score)
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
  const borders = places.map((place, index) => (place + (places[index - 1] ?? place - 0.6)) / 2);
  let best = { border: 0, cost: Infinity };
  for (const border of [...borders, (places.at(-1) ?? 0) + 0.3]) {
    const mistakes = alone.filter(({ item, score }) => score >= border !== item.isOffending).length;
    const alarms = usual.filter((score) => score >= border).length / background().texts.length;
    const cost = mistakes + priceOfAlarms * alarms;
    if (cost < best.cost) best = { border, cost };
  }
  return best.border;
}

const margin = 0.05;

/** What it learned from is a promise: all fails are found and all passes left, as far as any border can do it. */
function keepPromises(border: number, items: readonly Item[], scoreOf: (features: Features) => number): number {
  const scoresOf = (isOffending: boolean) =>
    items.filter((item) => item.isOpen && item.isOffending === isOffending).map(({ features }) => scoreOf(features));
  const lowestFail = Math.min(...scoresOf(true)) - margin;
  const highestPass = Math.max(...scoresOf(false)) + margin;
  return highestPass <= lowestFail ? Math.min(lowestFail, Math.max(highestPass, border)) : border;
}

type Background = { texts: { read: ReadExample; features: Features }[]; counts: Map<string, number> };

let known: Background | null = null;

/** Every so many-th honest text is enough to know how usual a word is. */
const everySo = 12;
const lengths = { min: 12, max: 140 };

function background(): Background {
  if (known !== null) return known;
  const sentences = readdirSync(textsFolder)
    .filter((file) => file.endsWith(".jsonl"))
    .toSorted()
    .flatMap((file) => readFileSync(join(textsFolder, file), "utf8").split("\n"))
    .filter((line, index) => index % everySo === 0 && line !== "")
    .map((line) => JSON.parse(line) as TrainingText)
    .filter(({ label }) => label === "honest")
    .flatMap(({ text }) => text.split(/(?<=[.!?])\s+|\n+/u))
    .filter(({ length }) => length >= lengths.min && length <= lengths.max);
  const texts = sentences.map(readExample).map((read) => ({ read, features: featuresOf(read) }));
  const counts = new Map<string, number>();
  for (const { features } of texts) for (const key of features.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
  known = { texts, counts };
  return known;
}
