import { pairKey, type Word } from "./word-features.ts";

/** What a model knows about features: the number and the rarity of each key. */
export type Vocabulary = { numberOf: (key: number) => number; rarity: Float32Array };

/** The features of one window: numbers of the vocabulary and values. Words and letters each have length one. */
export type Vector = {
  numbers: Int32Array;
  values: Float32Array;
  /** What was declared comes last, from here on. */
  contextFrom: number;
};

/** How much a declared sector, channel or market counts beside the words. Five markets must not count five times. */
const contextValue = 0.6;
const usualContext = 3;

/** How often each feature was met in the window at hand; empty between two windows. */
let times = new Uint16Array(0);

export function vectorize(words: readonly Word[], contextKeys: readonly number[], vocabulary: Vocabulary): Vector {
  const { numberOf, rarity } = vocabulary;
  if (times.length < rarity.length) times = new Uint16Array(rarity.length);
  const met: number[] = [];
  const letters: number[] = [];
  const count = (into: number[], number: number) => {
    if (number < 0) return;
    if (times[number] === 0) into.push(number);
    times[number] = (times[number] ?? 0) + 1;
  };
  let before: Word | null = null;
  const knownGrams = gramsKnownTo(vocabulary);
  for (const word of words) {
    count(met, numberOf(word.key));
    count(met, numberOf(pairKey(before, word)));
    for (const number of knownGrams(word.grams)) count(letters, number);
    before = word;
  }
  count(met, numberOf(pairKey(before, null)));

  const known = contextKeys.map(numberOf).filter((number) => number >= 0);
  const contextFrom = met.length + letters.length;
  const size = contextFrom + known.length;
  const vector = { numbers: new Int32Array(size), values: new Float32Array(size), contextFrom };
  let at = 0;
  for (const group of [met, letters]) {
    const first = at;
    let squares = 0;
    for (const number of group) {
      const value = (1 + Math.log(times[number] ?? 1)) * (rarity[number] ?? 0);
      times[number] = 0;
      squares += value * value;
      vector.numbers[at] = number;
      vector.values[at] = value;
      at += 1;
    }
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    for (let index = first; index < at; index += 1) vector.values[index] = (vector.values[index] ?? 0) * scale;
  }
  const share = Math.min(1, usualContext / Math.max(1, known.length));
  for (const number of known) {
    vector.numbers[at] = number;
    vector.values[at] = contextValue * share;
    at += 1;
  }
  return vector;
}

type Grams = Word["grams"];
const knownGrams = new WeakMap<Vocabulary, WeakMap<Grams, readonly number[]>>();

/** Looking up the dozen parts of a word costs more than all the rest, and words repeat. */
function gramsKnownTo(vocabulary: Vocabulary): (grams: Grams) => readonly number[] {
  const lists = knownGrams.get(vocabulary) ?? new WeakMap<Grams, readonly number[]>();
  knownGrams.set(vocabulary, lists);
  return (grams) => {
    const before = lists.get(grams);
    if (before !== undefined) return before;
    const numbers = grams.map(vocabulary.numberOf).filter((number) => number >= 0);
    lists.set(grams, numbers);
    return numbers;
  };
}

/** All keys of a window, for counting which features a vocabulary should know. */
export function keysOf(words: readonly Word[], contextKeys: readonly number[]): Set<number> {
  const keys = new Set(contextKeys);
  let before: Word | null = null;
  for (const word of words) {
    keys.add(word.key);
    keys.add(pairKey(before, word));
    for (const gram of word.grams) keys.add(gram);
    before = word;
  }
  keys.add(pairKey(before, null));
  return keys;
}

/** What was declared counts less than what is said, and condemns nothing whose words speak against it. */
const contextShare = 0.7;
const minWords = -1;

type Parts = { words: number; context: number; bias: number };

/** The score of a head from its parts. */
export function combine(parts: Parts): number {
  return parts.words < minWords ? parts.words - 10 : sumOf(parts);
}

/** The same without the guard: how honest a text sounds, not whether it may be condemned. */
export function sumOf({ words, context, bias }: Parts): number {
  return bias + words + contextShare * context;
}

/**
 * What is added to a score for its length: a dozen words sound like something by chance, the three or four of a plain
 * label like almost anything, and one offending sentence among a hundred honest words is thinned by them.
 */
export function lengthAllowance(words: number): number {
  const few = Math.min(0, 2 * Math.log2(Math.max(1, words) / fewWords));
  return few + Math.min(1, Math.max(-0.4, 0.6 * Math.log2(Math.max(1, words) / 22)));
}

const fewWords = 8;
