import { buildPhraseTrie, findPhrases, type PhraseTrie } from "../reading/phrase-trie.ts";
import type { Reading } from "../reading/reading.ts";
import type { TokenSpan } from "../reading/stance.ts";
import { type Lexicons, withKeys } from "./lexicon.ts";

/** Lexicons made ready for searching: one trie for all of them. */
export type ConceptIndex = { names: readonly string[]; trie: PhraseTrie; parents: readonly (readonly number[])[] };

/** Where each concept stands, in order; of two that overlap the longer stays. */
export type Concepts = ReadonlyMap<string, readonly TokenSpan[]>;

export function indexLexicons(lexicons: Lexicons): ConceptIndex {
  const names = Object.keys(lexicons);
  const numbers = new Map(names.map((name, number) => [name, number]));
  const trie = buildPhraseTrie(phrasesOf(lexicons, names));
  const holders = names.map(() => new Set<number>());
  for (const [number, name] of names.entries()) {
    for (const inner of withIncluded(lexicons, name)) {
      const place = numbers.get(inner);
      if (place !== undefined) holders[place]?.add(number);
    }
  }
  return { names, trie, parents: holders.map((set) => [...set]) };
}

function* phrasesOf(lexicons: Lexicons, names: readonly string[]): Generator<{ keys: string[]; label: number }> {
  for (const [number, name] of names.entries()) {
    const lexicon = lexicons[name];
    if (lexicon === undefined) continue;
    const { words, notIn } = withKeys(lexicon);
    for (const word of words) if (word !== "") yield { keys: word.split(" "), label: number * 2 };
    for (const phrase of notIn) if (phrase !== "") yield { keys: phrase.split(" "), label: number * 2 + 1 };
  }
}

/** A lexicon and everything inside it, each once. */
export function withIncluded(lexicons: Lexicons, name: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const inner of lexicons[name]?.includes ?? []) withIncluded(lexicons, inner, seen);
  return seen;
}

/** One pass over the words for all lexicons. */
export function findConcepts(reading: Reading, index: ConceptIndex): Concepts {
  const found = findPhrases(index.trie, reading.tokens);
  const others = new Map<number, TokenSpan[]>();
  for (const { label, firstToken, endToken } of found) {
    if (label % 2 === 0) continue;
    const spans = others.get(label >> 1);
    if (spans === undefined) others.set(label >> 1, [{ firstToken, endToken }]);
    else spans.push({ firstToken, endToken });
  }
  const spans = new Map<number, TokenSpan[]>();
  for (const { label, firstToken, endToken } of found) {
    if (label % 2 === 1) continue;
    const own = label >> 1;
    const span = { firstToken, endToken };
    if (hasOtherSense(others.get(own), span)) continue;
    for (const holder of index.parents[own] ?? []) {
      if (holder !== own && hasOtherSense(others.get(holder), span)) continue;
      const list = spans.get(holder);
      if (list === undefined) spans.set(holder, [span]);
      else list.push(span);
    }
  }
  return new Map(Array.from(spans, ([number, list]) => [index.names[number] ?? "", longest(list)]));
}

/** Inside a phrase that gives it another sense, unless it is the longer one. */
function hasOtherSense(others: readonly TokenSpan[] | undefined, span: TokenSpan): boolean {
  return (
    others?.some(
      ({ firstToken, endToken }) =>
        firstToken < span.endToken &&
        endToken > span.firstToken &&
        !(span.firstToken <= firstToken && span.endToken >= endToken && spanLength(span) > endToken - firstToken),
    ) ?? false
  );
}

function longest(spans: TokenSpan[]): TokenSpan[] {
  const inOrder = spans.toSorted((a, b) => a.firstToken - b.firstToken || b.endToken - a.endToken);
  const kept: TokenSpan[] = [];
  for (const span of inOrder) {
    const last = kept.at(-1);
    if (last !== undefined && span.firstToken < last.endToken) {
      if (spanLength(span) > spanLength(last)) kept[kept.length - 1] = span;
      continue;
    }
    kept.push(span);
  }
  return kept;
}

function spanLength({ firstToken, endToken }: TokenSpan): number {
  return endToken - firstToken;
}
