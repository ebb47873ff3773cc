import {
  type HeadsHeader,
  headsFile,
  openWeights,
  readHeads,
  type StoredHeads,
  type TopicHead,
  type Weights,
} from "./heads-file.ts";
import { combine, sumOf, type Vector, vectorize, type Vocabulary } from "./vectorize.ts";
import { pairKey, type Word } from "./word-features.ts";

/** All heads over one vocabulary: one pass over the words gives the score of every topic. */
export type MeaningModel = {
  header: HeadsHeader;
  numberOf: (topic: string) => number;
  scores: (words: readonly Word[], contextKeys: readonly number[]) => Scores;
  /** How much each word says for a topic; below zero: against it. */
  shares: (words: readonly Word[], topic: number) => number[];
};

/**
 * By topic. `sums`: without the guard against condemning by context alone. `own`: how much more its words say for this
 * topic than for all of them on average; a text that merely sounds like an offence says nothing for any.
 */
export type Scores = { scores: Float64Array; sums: Float64Array; own: Float64Array };

let loaded: MeaningModel | null = null;
let weightsInUse: Weights | null = null;

/** Read once for the life of the process. */
export function builtInMeaning(): MeaningModel {
  if (loaded !== null) return loaded;
  const stored = readHeads(headsFile);
  loaded = modelOf(stored, (...wanted) => (weightsInUse ??= openWeights(headsFile, stored))(...wanted));
  return loaded;
}

/** Before a snapshot, which every process would have to read as a whole: those that weigh words read them again. */
export function releaseWeights(): void {
  weightsInUse = null;
}

export function modelOf(stored: Omit<StoredHeads, "weights">, weights: Weights): MeaningModel {
  const { keys, rarity, ...header } = stored;
  const { heads } = header;
  const vocabulary: Vocabulary = { numberOf: tableOf(keys), rarity };
  const numbers = new Map(heads.map(({ topic }, number) => [topic, number]));
  return {
    header,
    numberOf: (topic) => numbers.get(topic) ?? -1,
    scores: scorer({ heads, weights, vocabulary }),
    shares: (words, topic) => sharesOf(words, { vocabulary, weights, topics: heads.length, topic }),
  };
}

type Model = { heads: readonly TopicHead[]; weights: Weights; vocabulary: Vocabulary };

/** The words of a window are weighed once, in however many markets it is judged. */
function scorer({ heads, weights, vocabulary }: Model): MeaningModel["scores"] {
  const topics = heads.length;
  const weighed = new WeakMap<readonly Word[], Float64Array>();
  const sumRows = ({ numbers, values }: Vector, from: number, to: number) => {
    const sums = new Float64Array(topics);
    if (from === to) return sums;
    const all = weights(numbers, from, to);
    let index = from;
    for (; index + rowsAtOnce <= to; index += rowsAtOnce) addRows(sums, all, { numbers, values, index });
    for (; index < to; index += 1)
      addRow(sums, { weights: all, offset: (numbers[index] ?? 0) * topics, value: values[index] ?? 0 });
    return sums;
  };
  const weigh = (words: readonly Word[]) => {
    const before = weighed.get(words);
    if (before !== undefined) return before;
    const vector = vectorize(words, [], vocabulary);
    const sums = sumRows(vector, 0, vector.contextFrom);
    weighed.set(words, sums);
    return sums;
  };
  return (words, contextKeys) => {
    const spoken = weigh(words);
    const vector = vectorize([], contextKeys, vocabulary);
    const declared = sumRows(vector, vector.contextFrom, vector.numbers.length);
    const parts = heads.map(({ scale, bias }, topic) => ({
      words: (spoken[topic] ?? 0) * scale,
      context: (declared[topic] ?? 0) * scale,
      bias,
    }));
    const average = parts.reduce((sum, part) => sum + part.words, 0) / Math.max(1, topics);
    return {
      scores: Float64Array.from(parts, combine),
      sums: Float64Array.from(parts, sumOf),
      own: Float64Array.from(parts, (part) => part.words - average),
    };
  };
}

const rowsAtOnce = 4;

/** Where most of the time goes: hundreds of features in each window, all heads in each. Added in order, to the same bits. */
function addRows(
  sums: Float64Array,
  weights: Int8Array,
  { numbers, values, index }: Pick<Vector, "numbers" | "values"> & { index: number },
): void {
  const topics = sums.length;
  const [a, b, c, d] = [values[index], values[index + 1], values[index + 2], values[index + 3]] as [
    number,
    number,
    number,
    number,
  ];
  let first = (numbers[index] as number) * topics;
  let second = (numbers[index + 1] as number) * topics;
  let third = (numbers[index + 2] as number) * topics;
  let fourth = (numbers[index + 3] as number) * topics;
  for (let topic = 0; topic < topics; topic += 1) {
    sums[topic] =
      (sums[topic] as number) +
      (weights[first] as number) * a +
      (weights[second] as number) * b +
      (weights[third] as number) * c +
      (weights[fourth] as number) * d;
    first += 1;
    second += 1;
    third += 1;
    fourth += 1;
  }
}

function addRow(sums: Float64Array, row: { weights: Int8Array; offset: number; value: number }): void {
  const { weights, offset, value } = row;
  for (let topic = 0; topic < sums.length; topic += 1)
    sums[topic] = (sums[topic] as number) + (weights[offset + topic] as number) * value;
}

/** A pair of words counts half for each of the two. */
function sharesOf(
  words: readonly Word[],
  { vocabulary, weights, topics, topic }: { vocabulary: Vocabulary; weights: Weights; topics: number; topic: number },
): number[] {
  const weightOf = (key: number) => {
    const number = vocabulary.numberOf(key);
    if (number < 0) return 0;
    return (weights([number], 0, 1)[number * topics + topic] ?? 0) * (vocabulary.rarity[number] ?? 0);
  };
  const shares = words.map(
    ({ key, grams }) =>
      weightOf(key) + grams.reduce((sum, gram) => sum + weightOf(gram), 0) / Math.max(3, grams.length),
  );
  for (let index = 1; index < words.length; index += 1) {
    const half = weightOf(pairKey(words[index - 1] ?? null, words[index] ?? null)) / 2;
    shares[index - 1] = (shares[index - 1] ?? 0) + half;
    shares[index] = (shares[index] ?? 0) + half;
  }
  return shares;
}

/** A flat hash table: a Map of this size takes longer to make than to use. */
function tableOf(keys: Uint32Array): (key: number) => number {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, keys.length * 2)));
  const mask = size - 1;
  const slots = new Int32Array(size).fill(-1);
  for (const [number, key] of keys.entries()) {
    let slot = key & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = number;
  }
  return (key) => {
    let slot = key & mask;
    for (;;) {
      const number = slots[slot] ?? -1;
      if (number === -1 || keys[number] === key) return number;
      slot = (slot + 1) & mask;
    }
  };
}
