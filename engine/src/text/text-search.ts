import type { AssetText, TextTrack } from "./asset-text.ts";
import { couldStand, findPlaces, buildTrie, type OpeningTree } from "./prefix-trie.ts";
import { requiredLiteralsOfPattern } from "./required-literals.ts";
import { compilePattern, isIn, smallLetters } from "./pattern.ts";
import { isOfWord, symbolsOf } from "./text-symbols.ts";

export type Match = { start: number; end: number; text: string };

export type FoundMatch = { track: TextTrack; match: Match };

/** All places of all patterns, in order; of two that overlap the longer stays. */
export function findAll(text: AssetText, patterns: readonly string[]): FoundMatch[] {
  const search = searchOf(text);
  const all = patterns.flatMap((pattern) => matchesOf(search, pattern));
  const kept: FoundMatch[] = [];
  for (const { track, start, end } of all.toSorted((a, b) => a.place - b.place || b.end - a.end)) {
    const last = kept.at(-1);
    if (last?.track === track && start < last.match.end) continue;
    const words = track.text.slice(start, end);
    if (words.trim() !== "") kept.push({ track, match: { start, end, text: words } });
  }
  return kept;
}

/** Somewhere in the file, said or shown. */
export function isAnywhere(text: AssetText, patterns: readonly string[]): boolean {
  const search = searchOf(text);
  return patterns.some((pattern) => matchesOf(search, pattern).length > 0);
}

export type Stretch = { track: TextTrack; start: number; end: number };

/** In a part of a track, as if that were all there is. */
export function isFoundWithin(text: AssetText, part: Stretch, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return false;
  const search = searchOf(text);
  const start = Math.max(0, part.start);
  const small = smallLetters(part.track.text.slice(start, part.end));
  const first = start + (search.sheets.get(part.track)?.first ?? 0);
  // What is left of a word that is cut in two begins like a word.
  const isCut = isOfWord(search.symbols[first - 1]);
  const rest = search.symbols.subarray(first, first + small.length);
  return patterns.some((pattern) => {
    const method = methodOf(pattern);
    if (!method.hasOpenings) return isIn(small, compilePattern(pattern));
    if (isCut && couldStand(method.tree, method.opening, rest) && isAt(stickyOf(method), small, 0)) return true;
    const places = placesOf(search, method);
    for (let position = lowerBound(places, first); position < places.length; position += 1) {
      const place = (places[position] ?? 0) - first;
      if (place >= small.length) return false;
      if (isAt(stickyOf(method), small, place)) return true;
    }
    return false;
  });
}

/** A track in small letters, and where it begins among all. */
type Sheet = { track: TextTrack; small: string; first: number };

type Search = {
  sheets: Map<TextTrack, Sheet>;
  /** Of all tracks, one after the other. */
  symbols: Uint8Array;
  requiredLiterals: Map<OpeningTree, (number[] | undefined)[]>;
  places: Map<Method, readonly number[]>;
  matches: Map<Method, PlacedMatch[]>;
};

/** `place`: where it begins among the symbols. */
type PlacedMatch = Stretch & { place: number };

/** Many rules ask for the same words of the same file. */
const searches = new WeakMap<AssetText, Search>();

function searchOf(text: AssetText): Search {
  const known = searches.get(text);
  if (known !== undefined) return known;
  const sheets = new Map<TextTrack, Sheet>();
  let all = "";
  for (const track of text.tracks) {
    const small = smallLetters(track.text);
    sheets.set(track, { track, small, first: all.length });
    // A line break between two: each begins like a word.
    all += `${small}\n`;
  }
  const search = {
    sheets,
    symbols: symbolsOf(all),
    requiredLiterals: new Map(),
    places: new Map(),
    matches: new Map(),
  };
  searches.set(text, search);
  return search;
}

/** Exactly what the expression matches in each track on its own. */
function matchesOf(search: Search, pattern: string): PlacedMatch[] {
  const method = methodOf(pattern);
  const known = search.matches.get(method);
  if (known !== undefined) return known;
  const sheets = [...search.sheets.values()];
  const matches = method.hasOpenings
    ? matchAtPlaces(method, placesOf(search, method), sheets)
    : sheets
        .filter((sheet) => couldHold(search, method, sheet))
        .flatMap((sheet) => matchEverywhere(compilePattern(pattern), sheet));
  search.matches.set(method, matches);
  return matches;
}

function couldHold(search: Search, method: Method, { small, first }: Sheet): boolean {
  if (!method.hasInside) return true;
  const inside = requiredLiteralsIn(search, method.tree)[method.inside] ?? [];
  return (inside[lowerBound(inside, first)] ?? Infinity) < first + small.length;
}

function matchEverywhere(regex: RegExp, { track, small, first }: Sheet): PlacedMatch[] {
  return Array.from(small.matchAll(regex), ({ index, 0: { length } }) => ({
    track,
    start: index,
    end: index + length,
    place: first + index,
  }));
}

/** Tried where it can begin, but not inside the match before: as a search from left to right does. */
function matchAtPlaces(method: Method, places: readonly number[], sheets: readonly Sheet[]): PlacedMatch[] {
  const matches: PlacedMatch[] = [];
  let number = 0;
  let free = 0;
  for (const place of places) {
    if (place < free) continue;
    while ((sheets[number + 1]?.first ?? Infinity) <= place) number += 1;
    const sheet = sheets[number];
    if (sheet === undefined) continue;
    const { track, small, first } = sheet;
    const regex = stickyOf(method);
    if (!isAt(regex, small, place - first)) continue;
    free = first + regex.lastIndex;
    matches.push({ track, start: place - first, end: regex.lastIndex, place });
  }
  return matches;
}

/** Where it can begin: at an opening, with what must stand inside it within reach. */
function placesOf(search: Search, method: Method): readonly number[] {
  const known = search.places.get(method);
  if (known !== undefined) return known;
  const requiredLiterals = requiredLiteralsIn(search, method.tree);
  const openings = requiredLiterals[method.opening] ?? [];
  const inside = requiredLiterals[method.inside] ?? [];
  let next = 0;
  const places = !method.hasInside
    ? openings
    : openings.filter((place) => {
        while ((inside[next] ?? Infinity) < place) next += 1;
        return (inside[next] ?? Infinity) <= place + method.reach;
      });
  search.places.set(method, places);
  return places;
}

function requiredLiteralsIn(search: Search, tree: OpeningTree): (number[] | undefined)[] {
  const known = search.requiredLiterals.get(tree);
  if (known !== undefined) return known;
  const requiredLiterals = findPlaces(tree, search.symbols);
  search.requiredLiterals.set(tree, requiredLiterals);
  return requiredLiterals;
}

/** How a pattern is searched for: `opening` and `inside` are the numbers of its requiredLiterals in the tree. */
type Method = {
  pattern: string;
  tree: OpeningTree;
  opening: number;
  hasOpenings: boolean;
  inside: number;
  hasInside: boolean;
  reach: number;
  sticky: RegExp | null;
};

const methods = new Map<string, Method>();
const expected = new Set<string>();

/** All patterns that are known before the first is looked for are looked for in one pass. */
export function expectPattern(pattern: string): void {
  if (!methods.has(pattern)) expected.add(pattern);
}

function methodOf(pattern: string): Method {
  const known = methods.get(pattern);
  if (known !== undefined) return known;
  expectPattern(pattern);
  const fresh = [...expected];
  expected.clear();
  const requiredLiterals = fresh.map(requiredLiteralsOfPattern);
  const tree = buildTrie(requiredLiterals.flatMap(({ openings, inside }) => [openings ?? [], inside ?? []]));
  for (const [number, { openings, inside, reach }] of requiredLiterals.entries()) {
    const each = fresh[number] ?? "";
    methods.set(each, {
      pattern: each,
      tree,
      opening: number * 2,
      hasOpenings: openings !== null,
      inside: number * 2 + 1,
      hasInside: inside !== null,
      reach: reach ?? Infinity,
      sticky: null,
    });
  }
  return methodOf(pattern);
}

/** Made when first needed: most patterns can begin nowhere in most texts. */
function stickyOf(method: Method): RegExp {
  if (method.sticky) return method.sticky;
  const { source, flags } = compilePattern(method.pattern);
  return (method.sticky = new RegExp(source, flags.replace("g", "y")));
}

function isAt(regex: RegExp, text: string, place: number): boolean {
  regex.lastIndex = place;
  return regex.test(text);
}

/** The first position among `places`, which are in order, that is not before `place`. */
function lowerBound(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
