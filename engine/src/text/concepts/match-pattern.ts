import type { AssetText, TextTrack } from "../asset-text.ts";
import type { Reading, Value } from "../reading/reading.ts";
import { conceptsOf, readingOf } from "./asset-reading.ts";
import type { ConceptIndex, Concepts } from "./find-concepts.ts";
import {
  type GroupTerm,
  isGroup,
  nameOfWords,
  periodDays,
  type Place,
  type Term,
  type ValueTerm,
  type Within,
} from "./pattern-terms.ts";

/** Words that a slot of a pattern matched, and what it looked for. */
export type Part = { track: number; firstToken: number; endToken: number; label: string };

/** One way in which a pattern stands in an asset; parts are in the order of the text. */
export type PatternMatch = { parts: readonly [Part, ...Part[]] };

/** An asset's tracks as patterns see them. */
export type PatternText = { tracks: readonly PatternTrack[]; found: Map<Term, Found> };

/** Where a term stands: looked up once, because many rules ask for the same ones, and each for every match. */
type Found = { matches: readonly PatternMatch[]; bySentence: Map<string, PatternMatch[]> | null };

type PatternTrack = {
  track: TextTrack;
  reading: Reading;
  concepts: Concepts;
  clauseOf: Int32Array;
  sentenceOf: Int32Array;
};

const prepared = new WeakMap<AssetText, { index: ConceptIndex; text: PatternText }>();

export function preparePatternText(text: AssetText, index: ConceptIndex): PatternText {
  const known = prepared.get(text);
  if (known?.index === index) return known.text;
  const tracks = text.tracks.map((track) => {
    const reading = readingOf(track);
    const { tokens, clauses, sentences } = reading;
    const concepts = conceptsOf(track, index);
    return {
      track,
      reading,
      concepts,
      clauseOf: numbered(tokens.length, clauses),
      sentenceOf: numbered(tokens.length, sentences),
    };
  });
  const patternText = { tracks, found: new Map<Term, Found>() };
  prepared.set(text, { index, text: patternText });
  return patternText;
}

function numbered(length: number, parts: readonly { firstToken: number; endToken: number }[]): Int32Array {
  const numbers = new Int32Array(length);
  parts.forEach(({ firstToken, endToken }, number) => numbers.fill(number, firstToken, endToken));
  return numbers;
}

/** Every place where the term stands, in the order of the text. */
export function matchTerm(text: PatternText, term: Term): readonly PatternMatch[] {
  return foundOf(text, term).matches;
}

function foundOf(text: PatternText, term: Term): Found {
  const known = text.found.get(term);
  if (known !== undefined) return known;
  const found = { matches: searchTerm(text, term), bySentence: null };
  text.found.set(term, found);
  return found;
}

/** Only what stands in the same sentence is worth a look, where that is asked for: a book has thousands of others. */
function inSameSentence(text: PatternText, term: Term, match: PatternMatch): readonly PatternMatch[] {
  const found = foundOf(text, term);
  found.bySentence ??= Map.groupBy(found.matches, (each) => sentenceOf(text, each));
  return found.bySentence.get(sentenceOf(text, match)) ?? [];
}

function sentenceOf({ tracks }: PatternText, { parts: [{ track, firstToken }] }: PatternMatch): string {
  return `${track} ${tracks[track]?.sentenceOf[firstToken] ?? 0}`;
}

function searchTerm(text: PatternText, term: Term): readonly PatternMatch[] {
  if (typeof term === "string") return conceptMatches(text, term, term);
  if ("any" in term) return term.any.flatMap((each) => matchTerm(text, each)).toSorted(byPlace);
  if ("words" in term) return conceptMatches(text, nameOfWords(term), "words");
  if (isGroup(term)) return groupMatches(text, term).toSorted(byPlace);
  return valueMatches(text, term);
}

function conceptMatches({ tracks }: PatternText, name: string, label: string): PatternMatch[] {
  return tracks.flatMap(({ concepts }, track) =>
    (concepts.get(name) ?? []).map(({ firstToken, endToken }): PatternMatch => ({
      parts: [{ track, firstToken, endToken, label }],
    })),
  );
}

function valueMatches({ tracks }: PatternText, term: ValueTerm): PatternMatch[] {
  return tracks.flatMap(({ reading }, track) =>
    reading.values
      .filter((value) => holds(value, term))
      .map(({ firstToken, endToken }): PatternMatch => ({
        parts: [{ track, firstToken, endToken, label: term.value }],
      })),
  );
}

function holds({ kind, amount, unit, perDays }: Value, term: ValueTerm): boolean {
  if (kind !== term.value || (term.unit !== undefined && unit !== term.unit)) return false;
  if (term.per !== undefined && perDays === null) return false;
  const { over, atLeast, under, atMost } = term;
  if (amount === null)
    return over === undefined && atLeast === undefined && under === undefined && atMost === undefined;
  const compared = term.per === undefined ? amount : (amount / (perDays ?? 1)) * periodDays[term.per];
  return (
    (over === undefined || compared > over) &&
    (atLeast === undefined || compared >= atLeast) &&
    (under === undefined || compared < under) &&
    (atMost === undefined || compared <= atMost)
  );
}

/** Each match of the first term with the nearest of the others that stand in the same place. */
function groupMatches(text: PatternText, term: GroupTerm): PatternMatch[] {
  const isOrdered = term.inOrder !== undefined;
  const [first, ...others] = term.inOrder ?? term.all ?? [];
  if (first === undefined || others.some((other) => matchTerm(text, other).length === 0)) return [];
  const within = term.within ?? "sentence";
  return matchTerm(text, first).flatMap((start) => {
    let parts: Part[] = [...start.parts];
    for (const other of others) {
      const candidates =
        within === "clause" || within === "sentence"
          ? inSameSentence(text, other, start)
          : nearby(text, matchTerm(text, other), parts, { within, near: term.near });
      const next = nearest(text, parts, candidates, { within, isOrdered, near: term.near });
      if (next === null) return [];
      parts = [...parts, ...next.parts].toSorted(byPart);
    }
    const match = { parts: parts as [Part, ...Part[]] };
    return isSpared(text, match, term.without ?? [], within) ? [] : [match];
  });
}

/** Longer than any phrase: a candidate that begins so many words earlier ends before its neighbours begin. */
const maxSpanTokens = 40;

/**
 * Of many candidates those that could be the nearest, so that a book is not compared with itself word by word. Where
 * pieces have times, nearness in time is not nearness in words, and all of them are looked at.
 */
function nearby(
  text: PatternText,
  list: readonly PatternMatch[],
  parts: readonly Part[],
  { within, near }: { within: Within; near: number | undefined },
): readonly PatternMatch[] {
  const [{ track, firstToken } = { track: 0, firstToken: 0 }] = parts;
  if (list.length <= maxSpanTokens || hasTimes(text, track)) return list;
  const lastToken = Math.max(...parts.map((part) => part.endToken));
  const reach = Math.min(near ?? Infinity, within === "screen" ? glanceTokens : Infinity);
  if (reach === Infinity) {
    const place = firstAt(list, track, firstToken);
    return list.slice(Math.max(0, place - maxSpanTokens), place + maxSpanTokens);
  }
  const from = firstAt(list, track, firstToken - reach - maxSpanTokens);
  return list.slice(from, firstAt(list, track, lastToken + reach + 1));
}

function hasTimes({ tracks }: PatternText, track: number): boolean {
  return tracks[track]?.track.pieces.some(({ at }) => typeof at.startSeconds === "number") ?? false;
}

/** The first match that begins at this token or later. */
function firstAt(list: readonly PatternMatch[], track: number, token: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const part = list[middle]?.parts[0];
    if (part !== undefined && (part.track < track || (part.track === track && part.firstToken < token)))
      low = middle + 1;
    else high = middle;
  }
  return low;
}

type Choice = { within: Within; isOrdered: boolean; near: number | undefined };

function nearest(
  text: PatternText,
  parts: readonly Part[],
  list: readonly PatternMatch[],
  choice: Choice,
): PatternMatch | null {
  let best: PatternMatch | null = null;
  let least = Infinity;
  for (const candidate of list) {
    const distance = distanceOf(parts, candidate.parts, choice.isOrdered);
    if (distance >= least || distance > (choice.near ?? Infinity)) continue;
    if (!isWithin(text, parts, candidate.parts, choice.within)) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** Words between the two; Infinity where they are the same words, or stand in the wrong order. */
function distanceOf(parts: readonly Part[], next: readonly Part[], isOrdered: boolean): number {
  let least = Infinity;
  for (const a of parts) {
    for (const b of next) {
      if (a.track !== b.track) {
        if (!isOrdered) least = Math.min(least, 1_000_000);
        continue;
      }
      if (a.firstToken === b.firstToken && a.endToken === b.endToken) return Infinity;
      if (isOrdered && b.firstToken < a.endToken) return Infinity;
      const between = b.firstToken >= a.endToken ? b.firstToken - a.endToken : a.firstToken - b.endToken;
      least = Math.min(least, Math.max(0, between));
    }
  }
  return least;
}

/** Whether all of these parts stand in one clause, one sentence, on one screen, or anywhere. */
export function isWithin(text: PatternText, parts: readonly Part[], next: readonly Part[], within: Within): boolean {
  if (within === "asset") return true;
  const all = [...parts, ...next];
  if (within === "screen") return parts.every((a) => next.every((b) => areSeenTogether(text, a, b)));
  const [{ track, firstToken } = { track: -1, firstToken: 0 }] = all;
  const place = text.tracks[track];
  if (place === undefined) return false;
  const numbers = within === "clause" ? place.clauseOf : place.sentenceOf;
  const wanted = numbers[firstToken];
  return all.every(
    (part) => part.track === track && numbers[part.firstToken] === wanted && numbers[part.endToken - 1] === wanted,
  );
}

/** Where there are no times, near enough to be seen at a glance. */
const glanceTokens = 100;

function areSeenTogether(text: PatternText, a: Part, b: Part): boolean {
  const [first, second] = [timesOf(text, a), timesOf(text, b)];
  if (first !== null && second !== null) return first[0] < second[1] && second[0] < first[1];
  return a.track === b.track && Math.abs(a.firstToken - b.firstToken) <= glanceTokens;
}

function timesOf({ tracks }: PatternText, part: Part): [number, number] | null {
  const place = tracks[part.track];
  if (place === undefined) return null;
  const start = place.reading.tokens[part.firstToken]?.start ?? 0;
  const end = place.reading.tokens[part.endToken - 1]?.end ?? start;
  const times = place.track.pieces.filter((piece) => piece.start < end && piece.end > start).map(({ at }) => at);
  const starts = times.flatMap(({ startSeconds }) => (typeof startSeconds === "number" ? [startSeconds] : []));
  const ends = times.flatMap(({ endSeconds }) => (typeof endSeconds === "number" ? [endSeconds] : []));
  return starts.length === 0 || ends.length === 0 ? null : [Math.min(...starts), Math.max(...ends)];
}

/** Whether one of these terms stands in the same place as a match. */
export function isSpared(text: PatternText, match: PatternMatch, terms: readonly Term[], place: Place): boolean {
  if (place === "asset" || place === "opening") return standsAt(text, terms, place);
  return terms.some((term) => {
    const candidates =
      place === "screen"
        ? nearby(text, matchTerm(text, term), match.parts, { within: place, near: undefined })
        : inSameSentence(text, term, match);
    return candidates.some(({ parts }) => isWithin(text, match.parts, parts, place));
  });
}

/** Whether one of these terms stands anywhere in the file, or among its first words. */
export function standsAt(text: PatternText, terms: readonly Term[], place: "asset" | "opening"): boolean {
  return terms.some((term) => {
    const matches = matchTerm(text, term);
    return place === "asset"
      ? matches.length > 0
      : matches.some(({ parts }) => parts.every((part) => isInOpening(text, part)));
  });
}

/** What platforms show of a post before it is opened. */
const openingCharacters = 125;

function isInOpening({ tracks }: PatternText, { track, firstToken }: Part): boolean {
  return (tracks[track]?.reading.tokens[firstToken]?.start ?? Infinity) < openingCharacters;
}

function byPlace(a: PatternMatch, b: PatternMatch): number {
  return byPart(a.parts[0], b.parts[0]);
}

function byPart(a: Part, b: Part): number {
  return a.track - b.track || a.firstToken - b.firstToken || a.endToken - b.endToken;
}
