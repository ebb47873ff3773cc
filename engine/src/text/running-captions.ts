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
/** In heights of a line, in heights of its capitals, and of the picture's width. */
const sameRow = 0.8;
const nextRow = 1.5;
const sameColumn = 0.35;
const widestSpace = 0.12;

/**
 * Supers in the order in which people read them, as rows of cards that read on: "CAN CURE", then "CANCER" in its place,
 * below it or beside it, is one sentence. All other supers are rows of their own. A line that is typed is there once, as it reads
 * in the end.
 */
export function rowsOfCards(supers: readonly Super[]): Super[][] {
  const rows: Super[][] = [];
  let open: Super[][] = [];
  for (const next of inOrder(supers)) {
    const start = next.startSeconds ?? 0;
    open = open.filter((row) => (row.at(-1)?.endSeconds ?? Infinity) >= start - longestGapSeconds);
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

/** By time; what begins together keeps its order, but for words of one row that were found from right to left. */
function inOrder(supers: readonly Super[]): Super[] {
  const sorted = supers.toSorted((a, b) => (a.startSeconds ?? 0) - (b.startSeconds ?? 0));
  for (let at = 1; at < sorted.length; at += 1) {
    const [one, other] = [sorted[at - 1], sorted[at]];
    if (one === undefined || other === undefined || !areTogether(one, other) || !standsBeside(other, one)) continue;
    [sorted[at - 1], sorted[at]] = [other, one];
  }
  return sorted;
}

function readsOn(last: Super | undefined, next: Super): boolean {
  if (last === undefined || last.isMoving || next.isMoving) return false;
  const isAfter = isNext(last, next);
  const isWith = areTogether(last, next) && (standsBelow(last, next) || standsBeside(last, next));
  if (!isAfter && !isWith) return false;
  if (isTyped(last, next)) return true;
  if (/[.!?…:;]["'’”)]*$/u.test(last.text.trim())) return false;
  const areFew = isFew(last) && isFew(next);
  const isLowerCase = /^["'‘“(]*\p{Ll}/u.test(next.text);
  if (isWith) {
    const isAlike = ratioOf(last, next) <= sameSize || (isShouted(last) && isShouted(next));
    return isLowerCase || (areFew && isAlike);
  }
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

/** In a still, or where one comes while the other stands and both go at once. */
function areTogether(last: Super, next: Super): boolean {
  const [from, start] = [last.startSeconds, next.startSeconds];
  const [end, until] = [last.endSeconds, next.endSeconds];
  if (from === null || start === null || end === null || until === null) return from === start;
  return start - from <= longestPauseSeconds && start < end && Math.abs(until - end) <= togetherSeconds;
}

/** A large word and a small one below it are one line of a poster. */
function standsBelow(last: Super, next: Super): boolean {
  const [above, below] = [last.region, next.region];
  const space = below.y - (above.y + above.height);
  const areOver = below.x < above.x + above.width && above.x < below.x + below.width;
  return areOver && below.y > above.y && space <= nextRow * Math.max(last.heightShare, next.heightShare);
}

function standsBeside(last: Super, next: Super): boolean {
  const [left, right] = [last.region, next.region];
  const shared = Math.min(left.y + left.height, right.y + right.height) - Math.max(left.y, right.y);
  const space = right.x - (left.x + left.width);
  return shared >= Math.min(left.height, right.height) / 2 && right.x > left.x && Math.abs(space) <= widestSpace;
}

/** The same line with more of its letters. */
function isTyped(last: Super, next: Super): boolean {
  if (!isNext(last, next) || !isInPlace(last, next)) return false;
  const [short, long] = [last.text, next.text].map((text) => text.replaceAll(/\s+/gu, "")) as [string, string];
  return long.length > short.length && long.startsWith(short);
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

function isShouted({ text }: Super): boolean {
  return !/\p{Ll}/u.test(text);
}

function isBrief({ startSeconds, endSeconds }: Super): boolean {
  return (endSeconds ?? Infinity) - (startSeconds ?? 0) <= longestHoldSeconds;
}
