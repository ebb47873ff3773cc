import { createHash } from "node:crypto";
import { memoize } from "../../memoize.ts";
import type { AssetText, TextTrack } from "../asset-text.ts";
import { readText } from "../reading/read-text.ts";
import type { Reading, Stance, Token } from "../reading/reading.ts";
import { stanceOf } from "../reading/stance.ts";
import { type ConceptIndex, type Concepts, findConcepts, indexLexicons } from "./find-concepts.ts";
import type { Lexicons } from "./lexicon.ts";

/** A track with what was read in it. */
export type ReadTrack = { track: TextTrack; reading: Reading };

const readings = new WeakMap<TextTrack, Reading>();

/** Read once for all callers. */
export function readingOf(track: TextTrack): Reading {
  const known = readings.get(track);
  if (known !== undefined) return known;
  const reading = readText(track.text, breaksOf(track));
  readings.set(track, reading);
  return reading;
}

/** What the characters from `start` to `end` of a track amount to. */
export function stanceAt(track: TextTrack, start: number, end: number): Stance {
  const { tokens, scopes } = readingOf(track);
  const firstToken = firstAfter(tokens, start);
  let endToken = firstToken;
  while ((tokens[endToken]?.start ?? Infinity) < end) endToken += 1;
  return endToken === firstToken ? "asserted" : stanceOf(scopes, [{ firstToken, endToken }]);
}

/** The first token that ends after a place. */
function firstAfter(tokens: readonly Token[], place: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function readAsset(text: AssetText): ReadTrack[] {
  return text.tracks.map((track) => ({ track, reading: readingOf(track) }));
}

/** One super is not the sentence of the next, unless it reads on; an empty line ends a headline without a stop. */
function breaksOf({ source, text, pieces }: TextTrack): number[] {
  if (source === "screen") return pieces.flatMap(({ start }) => (text[start - 1] === "\n" ? [start] : []));
  return Array.from(text.matchAll(/\n[^\S\n]*\n/gu), ({ index, 0: { length } }) => index + length);
}

/** The same lists are looked for in file after file. */
export const indexOf: (lexicons: Lexicons) => ConceptIndex = memoize(64, indexLexicons, nameOf);

const names = new WeakMap<Lexicons, string>();

function nameOf(lexicons: Lexicons): string {
  const known = names.get(lexicons);
  if (known !== undefined) return known;
  const all = Object.values(lexicons).map(({ name, version }) => `${name} ${version}`);
  const name = createHash("sha256").update(all.toSorted().join("\n")).digest("hex");
  names.set(lexicons, name);
  return name;
}

const concepts = new WeakMap<TextTrack, { index: ConceptIndex; concepts: Concepts }>();

export function conceptsOf(track: TextTrack, index: ConceptIndex): Concepts {
  const known = concepts.get(track);
  if (known?.index === index) return known.concepts;
  const found = findConcepts(readingOf(track), index);
  concepts.set(track, { index, concepts: found });
  return found;
}
