import type { Super } from "../evidence/evidence.ts";

/** Between a card that goes and the one that takes its place; readings of times differ by a frame or two. */
const longestGapSeconds = 0.25;
const longestOverlapSeconds = 0.12;
/** Of words that come one or two at a time, as in films for phones. */
const mostWords = 3;
const longestHoldSeconds = 1.5;
/** Of lines that come one below the other and go together. */
const longestPauseSeconds = 2.5;
const togetherSeconds = 0.3;
/** An important word may be twice as large; words in different places look alike. */
const largestRatio = 2;
const sameSize = 1.35;
/** In heights of a line, and of the picture's width. */
const sameRow = 0.8;
const nextRow = 1.6;
const sameColumn = 0.35;

/**
 * Supers in the order in which people read them, as rows of cards that read on: "CAN CURE", then "CANCER" in its place
 * or below it, is one sentence. All other supers are rows of their own. A line that is typed is there once, as it reads
 * in the end.
 */
export function rowsOfCards(supers: readonly Super[]): Super[][] {
  const rows: Super[][] = [];
  let open: Super[][] = [];
  for (const next of inTime(supers)) {
    const start = next.startSeconds;
    open = open.filter((row) => start !== null && (row.at(-1)?.endSeconds ?? -1) >= start - longestGapSeconds);
    const row = open.find((cards) => readsOn(cards.at(-1), next));
    const last = row?.at(-1);
    if (row !== undefined && last !== undefined) {
      if (isTyped(last, next)) row.pop();
      row.push(next);
      continue;
    }
    const fresh = [next];
    rows.push(fresh);
    open.push(fresh);
  }
  return rows;
}

/** Stills and what begins together keep their order. */
function inTime(supers: readonly Super[]): Super[] {
  return supers.toSorted((a, b) => (a.startSeconds ?? 0) - (b.startSeconds ?? 0));
}

function readsOn(last: Super | undefined, next: Super): boolean {
  if (last === undefined || last.isMoving || next.isMoving) return false;
  if (isTyped(last, next)) return true;
  if (/[.!?…:;]["'’”)]*$/u.test(last.text.trim())) return false;
  const areFew = isFew(last) && isFew(next);
  const isLowerCase = /^["'‘“(]*\p{Ll}/u.test(next.text);
  if (comesBelow(last, next)) return isLowerCase || areFew;
  if (!isNext(last, next)) return false;
  const areBrief = areFew && isBrief(last) && isBrief(next);
  return isInPlace(last, next) ? isLowerCase || areBrief : areBrief && ratioOf(last, next) <= sameSize;
}

function isNext({ startSeconds: from, endSeconds: end }: Super, { startSeconds: start }: Super): boolean {
  if (from === null || end === null || start === null || start <= from) return false;
  return start - end <= longestGapSeconds && end - start <= longestOverlapSeconds;
}

function isInPlace(last: Super, next: Super): boolean {
  const [a, b] = [last.region, next.region];
  const rows = Math.abs(a.y + a.height / 2 - (b.y + b.height / 2));
  return (
    rows <= sameRow * Math.max(a.height, b.height) && isInColumn(last, next) && ratioOf(last, next) <= largestRatio
  );
}

/** It comes while the other stands, and both go at once. */
function comesBelow(last: Super, next: Super): boolean {
  const [from, start] = [last.startSeconds, next.startSeconds];
  const [end, until] = [last.endSeconds, next.endSeconds];
  if (from === null || start === null || end === null || until === null) return false;
  const isBuilt = start > from && start - from <= longestPauseSeconds && start < end;
  const down = next.region.y - (last.region.y + last.region.height);
  const isBelow = next.region.y > last.region.y && down <= (nextRow - 1) * last.region.height;
  return (
    isBuilt &&
    Math.abs(until - end) <= togetherSeconds &&
    isBelow &&
    isInColumn(last, next) &&
    ratioOf(last, next) <= sameSize
  );
}

/** The same line with more of its letters. */
function isTyped(last: Super, next: Super): boolean {
  const [short, long] = [last.text, next.text].map((text) => text.replaceAll(/\s+/gu, "")) as [string, string];
  return long.length > short.length && long.startsWith(short) && isNext(last, next) && isInPlace(last, next);
}

function isInColumn({ region: a }: Super, { region: b }: Super): boolean {
  return Math.abs(a.x + a.width / 2 - (b.x + b.width / 2)) <= sameColumn;
}

function ratioOf(one: Super, other: Super): number {
  const [low, high] = [one.heightLines, other.heightLines].toSorted((a, b) => a - b) as [number, number];
  return high / Math.max(1, low);
}

function isFew({ text }: Super): boolean {
  return /\p{L}/u.test(text) && text.trim().split(/\s+/u).length <= mostWords;
}

function isBrief({ startSeconds, endSeconds }: Super): boolean {
  return (endSeconds ?? Infinity) - (startSeconds ?? 0) <= longestHoldSeconds;
}
