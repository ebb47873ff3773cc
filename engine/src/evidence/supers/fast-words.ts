import type { Span } from "../evidence.ts";
import type { SuperLine } from "./super-lines.ts";
import { overlapOf } from "./text-extent.ts";

/** Words that stand for longer than this are read one by one. */
export const longestSeconds = 0.45;
/** From the start of a word to that of the next one that was read. */
const nextWithinSeconds = 1;
const leastWords = 3;
/** Of the time from the first word to the last: where words stand for less of it, others stood in between. */
const readShare = 0.85;
/** Of the smaller of two boxes: one word after the other in the same place. */
const samePlace = 0.3;

/**
 * Stretches in which one word takes the place of the other so fast that only some of them were read. Over a picture that
 * moves, those are all that is known of the others. `missed`: when the reader was too busy to look at what had come;
 * after words that came one soon after the other, it was probably one of them.
 */
export function findFastWords(lines: readonly SuperLine[], missed: readonly Span[]): Span[] {
  const brief = lines.filter(isBrief).toSorted((a, b) => a.startSeconds - b.startSeconds);
  const words = lines.filter(({ text }) => /\p{L}/u.test(text));
  const afterWords = missed.filter(({ startSeconds }) => {
    const before = words.filter((word) => isShortlyBefore(word, startSeconds));
    return before.length >= leastWords;
  });
  return [...incompleteRuns(brief), ...afterWords];
}

function isShortlyBefore(word: SuperLine, seconds: number): boolean {
  return word.startSeconds <= seconds && word.startSeconds > seconds - leastWords * nextWithinSeconds;
}

function incompleteRuns(brief: readonly SuperLine[]): Span[] {
  const runs: [SuperLine, ...SuperLine[]][] = [];
  for (const line of brief) {
    const run = runs.find((words) => goesOn(words.at(-1) ?? line, line));
    if (run === undefined) runs.push([line]);
    else run.push(line);
  }
  return runs.flatMap((words) => {
    const startSeconds = words[0].startSeconds;
    const endSeconds = Math.max(...words.map((word) => word.endSeconds));
    const readSeconds = words.reduce((sum, word) => sum + word.endSeconds - word.startSeconds, 0);
    const areSome = words.length >= leastWords && readSeconds < readShare * (endSeconds - startSeconds);
    return areSome ? [{ startSeconds, endSeconds }] : [];
  });
}

/** One after the other; those that lie close together are one. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { startSeconds, endSeconds } of spans.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const last = joined.at(-1);
    if (last === undefined || startSeconds - last.endSeconds > nextWithinSeconds)
      joined.push({ startSeconds, endSeconds });
    else last.endSeconds = Math.max(last.endSeconds, endSeconds);
  }
  return joined;
}

function isBrief({ text, startSeconds, endSeconds, isMoving }: SuperLine): boolean {
  return !isMoving && /\p{L}/u.test(text) && endSeconds - startSeconds <= longestSeconds;
}

function goesOn(last: SuperLine, next: SuperLine): boolean {
  return (
    next.startSeconds - last.startSeconds <= nextWithinSeconds &&
    next.text !== last.text &&
    overlapOf(last.extent, next.extent) >= samePlace
  );
}
