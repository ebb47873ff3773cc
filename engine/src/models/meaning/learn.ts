import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseThresholds, type Scored, type Thresholds } from "./choose-thresholds.ts";
import { contextKeysOf } from "./context-keys.ts";
import type { StoredHeads } from "./heads-file.ts";
import { type LinearHeads, type Sample, trainHeads } from "./train-heads.ts";
import { type TrainingText, textsFolder } from "./training-texts.ts";
import { combine, keysOf, lengthAllowance, vectorize, type Vocabulary } from "./vectorize.ts";
import { type Word, wordsOf } from "./word-features.ts";

const folds = 4;
/** A feature that fewer texts have is a name or a typing error. */
const minTexts = 3;

/** A text with what was found in it, read once for all rounds. */
export type Read = { text: TrainingText; words: readonly Word[]; contextKeys: readonly number[] };

export type Learned = { stored: StoredHeads; scored: Scored[]; topics: string[] };

/** Trains on all texts; thresholds come from heads that did not see the text that they score. */
export function learn(
  texts: readonly TrainingText[],
  options: { trainedFrom: string; onFold?: (fold: number) => void },
): Learned {
  const topics = topicsOf(texts);
  const read = readTexts(texts);
  const scored: Scored[] = [];
  const scoredAt = new Map<Read, Scored>();
  for (let fold = 0; fold < folds; fold += 1) {
    const isHeldOut = ({ text }: Read) => foldOf(text) === fold;
    const heldOut = read.filter(isHeldOut);
    const learned = read.filter((each) => !isHeldOut(each));
    const scores = scoreHeldOut({ learned, heldOut }, topics);
    for (const [index, each] of heldOut.entries()) if (scores[index] !== undefined) scoredAt.set(each, scores[index]);
    options.onFold?.(fold + 1);
  }
  for (const each of read) {
    const score = scoredAt.get(each);
    if (score !== undefined) scored.push(score);
  }
  const thresholds = chooseThresholds(scored, topics.length);
  const { heads, keys, vocabulary } = keepPromises(fit(read, topics), read, { topics, thresholds });
  const stored = quantize(heads, { topics, thresholds, keys, rarity: vocabulary.rarity });
  return { stored: { ...stored, trainedFrom: options.trainedFrom, texts: texts.length }, scored, topics };
}

export function readTexts(texts: readonly TrainingText[]): Read[] {
  return texts.map((text) => ({ text, words: wordsOf(text.text), contextKeys: contextKeysOf(text) }));
}

/** Scores a part of the texts by heads that learned from the others. */
export function scoreHeldOut(read: { learned: readonly Read[]; heldOut: readonly Read[] }, topics: string[]): Scored[] {
  const { heads, vocabulary } = fit(read.learned, topics);
  return read.heldOut.map((each) => scoreOf(each, { heads, vocabulary, topics }));
}

/** Changes with any text and with any file of the trainer. */
export async function trainingHash(): Promise<string> {
  const hash = createHash("sha256");
  const own = fileURLToPath(new URL(".", import.meta.url));
  for (const [folder, pattern] of [
    [textsFolder, /\.jsonl$/],
    [own, /^(?:word-features|vectorize|context-keys|train-heads|choose-thresholds|learn)\.ts$/],
    [join(own, "../../rules"), /^sector-names\.ts$/],
  ] as const)
    for (const file of (await readdir(folder)).filter((name) => pattern.test(name)).toSorted())
      hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}

export function topicsOf(texts: readonly TrainingText[]): string[] {
  return [...new Set(texts.map(({ topic }) => topic))].filter((topic) => topic !== "none").toSorted();
}

type Fitted = ReturnType<typeof fit>;

/**
 * The examples of rules and the corpus are promises. Where a head would break one, its weights are moved as little as
 * keeps it (a passive-aggressive step): learned again with more weight, a promise would make honest whatever is like it.
 */
function keepPromises(
  fitted: Fitted,
  read: readonly Read[],
  options: { topics: readonly string[]; thresholds: Thresholds },
): Fitted {
  const { topics, thresholds } = options;
  const promises = read.filter(({ text }) => isPromise(text) || isExample(text));
  for (let round = 0; round < maxRoundsOfPromises; round += 1) {
    let moved = 0;
    for (const each of promises) {
      const { scores, topic, isOffending } = scoreOf(each, { ...fitted, topics });
      for (const [head, score] of scores.entries()) {
        const threshold = thresholds[head]?.threshold ?? Infinity;
        const isOwn = isOffending && head === topic;
        const missing = isOwn ? threshold + marginOfPromise - score : score - (threshold - marginOfPromise);
        // An offending text may well sound like other topics too, and one that lacks a wording like none.
        if (missing <= 0 || (isOffending && (!isOwn || missing > maxLift))) continue;
        moveHead(fitted, each, { head, topics: topics.length, by: isOwn ? missing : -missing });
        moved += 1;
      }
    }
    if (moved === 0) break;
  }
  return fitted;
}

function moveHead(
  { heads, vocabulary }: Fitted,
  { words }: Read,
  { head, topics, by }: { head: number; topics: number; by: number },
): void {
  const { numbers, values } = vectorize(words, [], vocabulary);
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  if (squares === 0) return;
  for (const [index, number] of numbers.entries()) {
    const place = number * topics + head;
    heads.weights[place] = (heads.weights[place] ?? 0) + (by / squares) * (values[index] ?? 0);
  }
}

const maxRoundsOfPromises = 20;
const marginOfPromise = 0.3;
const maxLift = 1.3;

/** What a rule says that it must find. */
function isExample({ label, origin }: TrainingText): boolean {
  return label === "offending" && origin === "packs";
}

function isPromise({ label, origin }: TrainingText): boolean {
  return label === "honest" && (origin === "packs" || origin === "corpus");
}

function fit(read: readonly Read[], topics: readonly string[]) {
  const counts = new Map<number, number>();
  for (const { words, contextKeys } of read)
    for (const key of keysOf(words, contextKeys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= minTexts).toSorted(([a], [b]) => a - b);
  const keys = Uint32Array.from(kept, ([key]) => key);
  const rarity = Float32Array.from(kept, ([, count]) => Math.log(read.length / count));
  const numbers = new Map(kept.map(([key], number) => [key, number]));
  const vocabulary: Vocabulary = { numberOf: (key) => numbers.get(key) ?? -1, rarity };
  const samples = read.map((each): Sample => ({
    vector: vectorize(each.words, each.contextKeys, vocabulary),
    topic: topics.indexOf(each.text.topic),
    isOffending: each.text.label === "offending",
    weight: weightOf(each.text),
  }));
  const heads = trainHeads(samples, { features: keys.length, topics: topics.length });
  return { heads, keys, vocabulary };
}

function scoreOf(
  { text, words, contextKeys }: Read,
  { heads, vocabulary, topics }: { heads: LinearHeads; vocabulary: Vocabulary; topics: readonly string[] },
): Scored {
  const { numbers, values, contextFrom } = vectorize(words, contextKeys, vocabulary);
  const sums = [new Float64Array(topics.length), new Float64Array(topics.length)] as const;
  for (const [index, number] of numbers.entries()) {
    const part = sums[index < contextFrom ? 0 : 1];
    for (let topic = 0; topic < topics.length; topic += 1)
      part[topic] = (part[topic] ?? 0) + (heads.weights[number * topics.length + topic] ?? 0) * (values[index] ?? 0);
  }
  const allowance = lengthAllowance(words.length);
  const scores = heads.biases.map(
    (bias, topic) => allowance + combine({ words: sums[0][topic] ?? 0, context: sums[1][topic] ?? 0, bias }),
  );
  return {
    topic: topics.indexOf(text.topic),
    isOffending: text.label === "offending",
    wasBlind: text.origin?.startsWith("blind") ?? false,
    scores,
  };
}

function quantize(
  { weights, biases }: LinearHeads,
  options: {
    topics: readonly string[];
    thresholds: readonly { threshold: number; honestBelow: number }[];
    keys: Uint32Array;
    rarity: Float32Array;
  },
): Omit<StoredHeads, "trainedFrom" | "texts"> {
  const { topics, thresholds, keys, rarity } = options;
  const count = topics.length;
  const largest = new Float64Array(count);
  for (const [index, weight] of weights.entries())
    largest[index % count] = Math.max(largest[index % count] ?? 0, Math.abs(weight));
  const heads = topics.map((topic, number) => ({
    topic,
    bias: rounded(biases[number] ?? 0),
    scale: (largest[number] ?? 1) / 127 || 1,
    threshold: rounded(thresholds[number]?.threshold ?? Infinity),
    honestBelow: rounded(thresholds[number]?.honestBelow ?? -Infinity),
  }));
  const steps = Int8Array.from(weights, (weight, index) => Math.round(weight / (heads[index % count]?.scale ?? 1)));
  return { features: keys.length, heads, keys, rarity, weights: steps };
}

/**
 * The honest examples of the rules are promises: what they say must stay silent. Texts that were once blind were
 * written without sight of any rule and are the nearest to what will come.
 */
function weightOf(text: TrainingText): number {
  if (text.origin?.startsWith("blind")) return 2;
  return isPromise(text) ? 3 : 1;
}

/**
 * Which of the rounds a text sits out. A past blind round sits out as a whole, with the texts that were written from
 * what it showed: one writer's texts are alike, and heads that learned from half of them judge the rest too well.
 */
export function foldOf({ text, origin = "" }: TrainingText): number {
  const round = /^blind-(\d+)$/.exec(writtenAfter[origin] ?? origin)?.[1];
  return (round === undefined ? (createHash("sha256").update(text).digest()[0] ?? 0) : Number(round)) % folds;
}

const writtenAfter: Readonly<Record<string, string>> = {
  "texts-5": "blind-3",
  "texts-6": "blind-4",
  "texts-7": "blind-5",
  "texts-8": "blind-7",
  "texts-9": "blind-8",
};

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
