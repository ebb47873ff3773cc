import { createHash } from "node:crypto";
import { alarmRate, type Scored } from "./choose-thresholds.ts";
import { foldOf, type Read, readTexts, scoreHeldOut, topicsOf } from "./learn.ts";
import type { TrainingText } from "./training-texts.ts";

const maxFalseAlarms = 0.03;

/** Recall against the number of texts: is it worth writing more? */
export function learningCurve(texts: readonly TrainingText[]): string[] {
  const { learned, heldOut, topics } = split(texts);
  return [0.25, 0.5, 0.75, 1].map((share) => {
    const part = learned.filter(({ text }) => placeOf(text) < share);
    return `${String(part.length).padStart(6)} texts  ${describe(scoreHeldOut({ learned: part, heldOut }, topics))}`;
  });
}

/** What each group of features adds: recall without it. */
export function ablation(texts: readonly TrainingText[]): string[] {
  const { learned, heldOut, topics } = split(texts);
  const without: Record<string, (read: Read) => Read> = {
    "all features": (read) => read,
    "without letters": (read) => ({ ...read, words: read.words.map((word) => ({ ...word, grams: [] })) }),
    "without words": (read) => ({ ...read, words: read.words.map((word, index) => ({ ...word, key: index })) }),
    "without context": (read) => ({ ...read, contextKeys: [] }),
  };
  return Object.entries(without).map(([name, strip]) => {
    const scored = scoreHeldOut({ learned: learned.map(strip), heldOut: heldOut.map(strip) }, topics);
    return `${name.padEnd(16)} ${describe(scored)}`;
  });
}

function split(texts: readonly TrainingText[]): { learned: Read[]; heldOut: Read[]; topics: string[] } {
  const read = readTexts(texts);
  return {
    learned: read.filter(({ text }) => foldOf(text) !== 0),
    heldOut: read.filter(({ text }) => foldOf(text) === 0),
    topics: topicsOf(texts),
  };
}

/** Between 0 and 1, the same for the same text. */
function placeOf({ id, text }: TrainingText): number {
  return createHash("sha256").update(`${id} ${text}`).digest().readUInt16BE(2) / 65_536;
}

function describe(scored: readonly Scored[]): string {
  const honest = scored.filter(({ isOffending }) => !isOffending);
  const offending = scored.filter(({ isOffending }) => isOffending);
  const highest = honest.map(({ scores }) => Math.max(...scores)).toSorted((a, b) => b - a);
  const limit = highest[Math.floor(maxFalseAlarms * highest.length)] ?? 0;
  const found = offending.filter(({ topic, scores }) => (scores[topic] ?? -Infinity) > limit).length;
  const limits = [...(honest[0]?.scores ?? [])].map(() => limit);
  const recall = (found / Math.max(1, offending.length)).toFixed(3);
  return `recall ${recall} at ${(100 * alarmRate(honest, limits)).toFixed(1)} % false alarms`;
}
