import { type AssetText, locate, sentenceAround, type TextTrack } from "../../text/asset-text.ts";
import type { Location } from "../../finding.ts";
import type { Context } from "../../sidekick.ts";
import { contextKeysOf } from "./context-keys.ts";
import { builtInMeaning, type MeaningModel } from "./meaning-model.ts";
import { lengthAllowance } from "./vectorize.ts";
import { type Window, windowsOf } from "./windows.ts";
import { wordsOf } from "./word-features.ts";

/** What the head of a topic makes of an asset. */
export type TopicReading = {
  isOffending: boolean;
  /** Surely: few offending texts sound so harmless. */
  isHonest: boolean;
  /** So surely that even a duty by subject alone, like a required warning, is none of its business. */
  isFarFromOffending: boolean;
  /** A few words only: too little to tell how honest they are. */
  isScant: boolean;
  /** An advertisement's line or two, where the gravest words are hardly there by chance as in an article. */
  isBrief: boolean;
  /** Above the threshold by so much. */
  margin: number;
  /** Its words speak for this topic more than for others by so much. */
  own: number;
  /** Enough to be meant. */
  isAbout: boolean;
  window: Window;
};

/** Where the head sees it, with the words that spoke. */
export type MeaningPlace = { quote: string; location: Partial<Location>; words: string[] };

/** A part of a long text lacks what the rest explains, and among many one is high by chance. */
const marginOfPart = 1.5;
const marginPerDoubling = 0.7;

/** So far below its threshold a text is honest in any topic. */
const honestMargin = -3;
const farMargin = -10;
/** A short line without a declared context tells the heads too little to call it honest. */
const minWordsOfHonest = 11;
const maxWordsOfBrief = 30;

/** Words that sound like an offence of any kind are none of this topic. */
const minOwn = 0.25;

const readings = new WeakMap<AssetText, Map<string, (TopicReading | null)[]>>();

/** What every head makes of this asset, in this context. Null: the asset has no words, or there is no such head. */
export function readMeaning(text: AssetText, context: Context, topic: string): TopicReading | null {
  const model = builtInMeaning();
  const number = model.numberOf(topic);
  if (number < 0) return null;
  const key = nameOf(context);
  const known = readings.get(text) ?? new Map<string, (TopicReading | null)[]>();
  readings.set(text, known);
  const all = known.get(key) ?? readAll(text, context, model);
  known.set(key, all);
  return all[number] ?? null;
}

const names = new WeakMap<Context, string>();

/** What of a context the heads see. Asked for by every rule. */
function nameOf(context: Context): string {
  const before = names.get(context);
  if (before !== undefined) return before;
  const name = JSON.stringify([context.jurisdictions, context.sector, context.channel]);
  names.set(context, name);
  return name;
}

function readAll(text: AssetText, context: Context, model: MeaningModel): (TopicReading | null)[] {
  const windows = windowsOf(text);
  const contextKeys = contextKeysOf(context);
  const scored = windows.map((window) => ({ window, ...model.scores(window.words, contextKeys) }));
  const isDeclared = context.sector !== undefined && (context.jurisdictions ?? []).length > 0;
  const length = windows.reduce((sum, { words }) => sum + words.length, 0);
  const isTold = length >= minWordsOfHonest;
  const isBrief = length <= maxWordsOfBrief;
  const extra = windows.length <= 1 ? 0 : marginOfPart + marginPerDoubling * Math.log2(windows.length);
  return model.header.heads.map(({ threshold, honestBelow }, topic) => {
    let best: { window: Window; score: number; own: number } | null = null;
    let highest = -Infinity;
    for (const { window, scores, sums, own } of scored) {
      highest = Math.max(highest, sums[topic] ?? -Infinity);
      const allowance = windows.length === 1 ? lengthAllowance(window.words.length) : 0;
      const score = (scores[topic] ?? -Infinity) + allowance;
      if (best === null || score > best.score) best = { window, score, own: own[topic] ?? 0 };
    }
    if (best === null) return null;
    const margin = best.score - threshold - extra;
    const isHonest = isTold
      ? best.score < honestBelow || margin < honestMargin
      : isDeclared && highest - threshold < honestMargin;
    const isFarFromOffending = isHonest && isDeclared && margin < farMargin;
    const { own, window } = best;
    const isAbout = own >= minOwn;
    const isOffending = margin >= 0 && isAbout;
    return { isOffending, isHonest, isFarFromOffending, isScant: !isTold, isBrief, margin, own, isAbout, window };
  });
}

/** Whether the head, asked about the sentence with these words alone, is sure that it is honest. */
export function isHonestAlone(text: AssetText, context: Context, asked: { topic: string; quote: string }): boolean {
  const model = builtInMeaning();
  const topic = model.numberOf(asked.topic);
  const head = model.header.heads[topic];
  const sentence = sentenceWith(text, asked.quote);
  if (head === undefined || sentence === null) return true;
  const score = model.scores(wordsOf(sentence), contextKeysOf(context)).sums[topic] ?? 0;
  return score - head.threshold < honestMargin;
}

function sentenceWith({ tracks }: AssetText, quote: string): string | null {
  if (quote === "") return null;
  for (const track of tracks) {
    const start = track.text.indexOf(quote);
    if (start >= 0) return sentenceAround(track, start, start + quote.length);
  }
  return null;
}

const maxWords = 5;

/** The sentence that spoke most for the topic, and its weightiest words in the order of the text. */
export function placeOf({ window }: TopicReading, topic: string): MeaningPlace {
  const model = builtInMeaning();
  const { track, own } = window;
  const shares = model.shares(own, model.numberOf(topic));
  const weighty = own
    .map((word, index) => ({ ...word, share: shares[index] ?? 0 }))
    .filter(({ start, end, share }) => share > 0 && /[\p{L}\p{N}]{2}/u.test(track.text.slice(start, end)));
  const sentence = bestSentence(track, window, weighty);
  const inside = weighty.filter(({ start, end }) => start >= sentence.start && end <= sentence.end);
  const words = (inside.length > 0 ? inside : weighty)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, maxWords)
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => track.text.slice(start, end));
  return {
    quote: track.text.slice(sentence.start, sentence.end).replaceAll(/\s+/g, " ").trim(),
    location: locate(track, sentence.start, sentence.end),
    words: [...new Set(words)],
  };
}

type Weighty = { start: number; end: number; share: number };

function bestSentence(track: TextTrack, window: Window, weighty: readonly Weighty[]): { start: number; end: number } {
  const sentences = sentencesOf(track.text, window);
  const [first] = sentences;
  if (first === undefined) return window;
  const sumIn = ({ start, end }: { start: number; end: number }) =>
    weighty.reduce((sum, word) => (word.start >= start && word.end <= end ? sum + word.share : sum), 0);
  return sentences.reduce((best, each) => (sumIn(each) > sumIn(best) ? each : best), first);
}

function sentencesOf(text: string, { start, end }: { start: number; end: number }): { start: number; end: number }[] {
  const part = text.slice(start, end);
  return Array.from(part.matchAll(/\S[^\n]*?(?:[.!?…]+["')\]]*(?=\s|$)|(?=\n)|$)/gu), ({ 0: { length }, index }) => ({
    start: start + index,
    end: start + index + length,
  }));
}
