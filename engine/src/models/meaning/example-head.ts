import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoize } from "../../memoize.ts";
import { type Sample, trainOneAgainstRest } from "./train-heads.ts";
import { type TrainingText, textsFolder } from "./training-texts.ts";
import { keysOf, vectorize, type Vocabulary } from "./vectorize.ts";
import { type Word, wordsOf } from "./word-features.ts";

/** Examples of a rule of one's own: what it must find, and what it must leave alone. */
export type Examples = { fails: readonly string[]; passes: readonly string[] };

/** A head learned from the examples of one rule. A text is found when its score is at least 0. */
export type ExampleHead = { score: (words: readonly Word[]) => number; separation: Separation };

/** How well the examples are told apart when each is judged by a head that did not learn from it. */
export type Separation = { found: number; fails: number; quiet: number; passes: number; mistaken: string[] };

export const minExamples = 10;

/** Copy that is clean in every topic: a rule of twenty examples must not speak about all the rest of the world. */
const backgroundTexts = 200;

/** Learned when first needed, from the same examples only once. */
export const exampleHead: (examples: Examples) => ExampleHead = memoize(200, learnFrom, JSON.stringify);

type Item = { text: string; words: Word[]; isOffending: boolean; isOwn: boolean };

function learnFrom({ fails, passes }: Examples): ExampleHead {
  const own = [
    ...fails.map((text) => itemOf(text, { isOffending: true, isOwn: true })),
    ...passes.map((text) => itemOf(text, { isOffending: false, isOwn: true })),
  ];
  const background = readBackground().map((text) => itemOf(text, { isOffending: false, isOwn: false }));
  const left = own.map((item) => ({
    item,
    score: fit([...own.filter((other) => other !== item), ...background])(item.words),
  }));
  const border = borderOf(left.map(({ item, score }) => ({ isOffending: item.isOffending, score })));
  const isRight = ({ item, score }: (typeof left)[number]) => score >= border === item.isOffending;
  const score = fit([...own, ...background]);
  return {
    score: (words) => score(words) - border,
    separation: {
      fails: fails.length,
      found: left.filter((each) => each.item.isOffending && isRight(each)).length,
      passes: passes.length,
      quiet: left.filter((each) => !each.item.isOffending && isRight(each)).length,
      mistaken: left.filter((each) => !isRight(each)).map(({ item }) => item.text),
    },
  };
}

function fit(items: readonly Item[]): (words: readonly Word[]) => number {
  const counts = new Map<number, number>();
  for (const { words } of items) for (const key of keysOf(words, [])) counts.set(key, (counts.get(key) ?? 0) + 1);
  const keys = [...counts.keys()];
  const numbers = new Map(keys.map((key, number) => [key, number]));
  const rarity = Float32Array.from(keys, (key) => Math.log((items.length + 1) / (counts.get(key) ?? 1)));
  const vocabulary: Vocabulary = { numberOf: (key) => numbers.get(key) ?? -1, rarity };
  const samples = items.map(({ words, isOffending, isOwn }): Sample => ({
    vector: vectorize(words, [], vocabulary),
    topic: isOwn ? 0 : -1,
    isOffending,
    weight: 1,
  }));
  const { weights, biases } = trainOneAgainstRest(samples, { features: keys.length, topics: 1 });
  return (words) => {
    const vector = vectorize(words, [], vocabulary);
    return vector.numbers.reduce(
      (sum, number, index) => sum + (weights[number] ?? 0) * (vector.values[index] ?? 0),
      biases[0] ?? 0,
    );
  };
}

/** Between the two groups, where it makes the fewest mistakes; in doubt nearer to those that must be left alone. */
function borderOf(scored: readonly { isOffending: boolean; score: number }[]): number {
  const places = scored.map(({ score }) => score).toSorted((a, b) => a - b);
  let best = { border: 0, mistakes: Infinity };
  for (const [index, place] of places.entries()) {
    const border = (place + (places[index - 1] ?? place - 0.5)) / 2;
    const mistakes = scored.filter(({ isOffending, score }) => score >= border !== isOffending).length;
    if (mistakes < best.mistakes) best = { border, mistakes };
  }
  return best.border;
}

function itemOf(text: string, about: { isOffending: boolean; isOwn: boolean }): Item {
  return { text, words: wordsOf(text), ...about };
}

let background: string[] | null = null;

function readBackground(): string[] {
  background ??= readFileSync(join(textsFolder, "none.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .slice(0, backgroundTexts)
    .map((line) => (JSON.parse(line) as TrainingText).text);
  return background;
}
