import { wordOfEmoji } from "./emoji-words.ts";
import { lemmaOf } from "./lemma.ts";
import { type Edge, nextNode, type PackedTrie, packTrie } from "./packed-trie.ts";
import { numberOfWord } from "./packed-words.ts";
import type { Token } from "./reading.ts";

/** Phrases to be found in one pass, by the forms of their words. */
export type PhraseTrie = PackedTrie;

export type PhraseMatch = { label: number; firstToken: number; endToken: number };

const wordRoom = 2 ** 20;
const maxSkipped = 2;

/** From phrases as their keys (see `keyOf`), each with a number of the caller's. */
export function buildPhraseTrie(phrases: Iterable<{ keys: readonly string[]; label: number }>): PhraseTrie {
  const words = new Map<string, number>();
  const edges = new Map<number, Edge>();
  const ends: (number[] | undefined)[] = [undefined];
  for (const { keys, label } of phrases) {
    let node = 0;
    for (const key of keys) {
      const word = words.get(key) ?? words.size;
      words.set(key, word);
      const place = node * wordRoom + word;
      const edge = edges.get(place) ?? { node, word, next: ends.length };
      if (edge.next === ends.length) ends.push(undefined);
      edges.set(place, edge);
      node = edge.next;
    }
    const labels = ends[node];
    if (labels === undefined) ends[node] = [label];
    else if (!labels.includes(label)) labels.push(label);
  }
  return packTrie({ words: [...words.keys()], edges: [...edges.values()], ends });
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
  const { labelStarts, labels } = trie;
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
    const next = nextNode(trie, node, word);
    if (next < 0) return;
    const end = labelStarts[next + 1] ?? 0;
    for (let place = labelStarts[next] ?? 0; place < end; place += 1)
      matches.push({ label: labels[place] ?? 0, firstToken: first, endToken: index + 1 });
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
    lemmas[index] = numberOfWord(trie.words, yours.has(token.folded) ? "your" : token.lemma);
    forms[index] = token.folded === token.lemma ? -1 : numberOfWord(trie.words, token.folded);
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
