import { wordOfEmoji } from "./emoji-words.ts";
import { lemmaOf } from "./lemma.ts";
import type { Token } from "./reading.ts";

/** Phrases to be found in one pass, by the forms of their words. */
export type PhraseTrie = {
  words: Map<string, number>;
  /** Node and word to node: `node * wordRoom + word`. */
  edges: Map<number, number>;
  /** What ends at a node. */
  ends: (number[] | undefined)[];
};

export type PhraseMatch = { label: number; firstToken: number; endToken: number };

const wordRoom = 2 ** 20;
const maxSkipped = 2;

export function newTrie(): PhraseTrie {
  return { words: new Map(), edges: new Map(), ends: [undefined] };
}

/** Adds a phrase, as its keys (see `keyOf`). */
export function addPhrase(trie: PhraseTrie, keys: readonly string[], label: number): void {
  let node = 0;
  for (const key of keys) {
    let word = trie.words.get(key);
    if (word === undefined) {
      word = trie.words.size;
      trie.words.set(key, word);
    }
    const edge = node * wordRoom + word;
    let next = trie.edges.get(edge);
    if (next === undefined) {
      next = trie.ends.length;
      trie.edges.set(edge, next);
      trie.ends.push(undefined);
    }
    node = next;
  }
  const labels = trie.ends[node];
  if (labels === undefined) trie.ends[node] = [label];
  else if (!labels.includes(label)) labels.push(label);
}

/** A base form ("cure") stands for all forms of its word, any other form ("colds") only for itself. */
export function keyOf(word: string): string {
  if (yours.has(word)) return "your";
  if (!/[\p{L}\p{N}%£$€¥₹@#&+=<>°]/u.test(word)) return wordOfEmoji(word);
  const lemma = lemmaOf(word);
  // "one" and "1", "n't" and "not" are the same word in two spellings, not two forms of it.
  return isSpelling(lemma) ? lemma : word;
}

function isSpelling(lemma: string): boolean {
  return /^(?:\d+|%|and|not|will|can|be)$/.test(lemma);
}

/** "ditch your pills" is also "ditch my pills". */
const yours = new Set(["my", "your", "our", "his", "her", "their"]);
/** May stand inside a phrase: "stop the diabetes" has "stop diabetes" in it. */
const skipped = new Set("a an the my your our his her their its this that these those all any some".split(" "));

/** Every phrase that stands in the tokens, in the order of their first words. */
export function findPhrases(trie: PhraseTrie, tokens: readonly Token[]): PhraseMatch[] {
  const { lemmas, forms } = wordsOf(trie, tokens);
  const matches: PhraseMatch[] = [];
  let first = 0;
  const walk = (node: number, index: number, skips: number): void => {
    const token = tokens[index];
    if (token === undefined || (index > first && isBarrier(token))) return;
    const lemma = lemmas[index] ?? -1;
    const form = forms[index] ?? -1;
    if (lemma >= 0) step(node, lemma, index, skips);
    if (form >= 0 && form !== lemma) step(node, form, index, skips);
    if (index > first && skips < maxSkipped && canSkip(token, tokens[index - 1])) walk(node, index + 1, skips + 1);
  };
  const step = (node: number, word: number, index: number, skips: number): void => {
    const next = trie.edges.get(node * wordRoom + word);
    if (next === undefined) return;
    for (const label of trie.ends[next] ?? []) matches.push({ label, firstToken: first, endToken: index + 1 });
    walk(next, index + 1, skips);
  };
  for (; first < tokens.length; first += 1) walk(0, first, 0);
  return matches;
}

/** The numbers of each token's forms in the trie; -1: no phrase has the word. */
function wordsOf(trie: PhraseTrie, tokens: readonly Token[]): { lemmas: Int32Array; forms: Int32Array } {
  const lemmas = new Int32Array(tokens.length);
  const forms = new Int32Array(tokens.length);
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) continue;
    lemmas[index] = trie.words.get(yours.has(token.folded) ? "your" : token.lemma) ?? -1;
    forms[index] = token.folded === token.lemma ? -1 : (trie.words.get(token.folded) ?? -1);
  }
  return { lemmas, forms };
}

/** Articles and the like, and the figure of an amount: "£ off" stands in "£50 off". */
function canSkip(token: Token, before: Token | undefined): boolean {
  return skipped.has(token.folded) || (token.pos === "number" && /^[£$€¥₹]$/u.test(before?.folded ?? ""));
}

function isBarrier({ gap }: Token): boolean {
  return gap === "stop" || gap === "colon" || gap === "bracket" || gap === "bullet" || gap === "dash";
}
