import { type PackedWords, packWords, startsOf } from "./packed-words.ts";

/** A trie in flat arrays, for the same reason as its words. */
export type PackedTrie = {
  words: PackedWords;
  /** Of node n those from `edgeStarts[n]` to `edgeStarts[n + 1]`, in the order of their words. */
  edgeStarts: Int32Array;
  edgeWords: Int32Array;
  edgeNodes: Int32Array;
  /** What ends at node n: from `labelStarts[n]` to `labelStarts[n + 1]`. */
  labelStarts: Int32Array;
  labels: Int32Array;
};

export type Edge = { node: number; word: number; next: number };

export function packTrie(trie: {
  words: readonly string[];
  edges: readonly Edge[];
  ends: readonly (readonly number[] | undefined)[];
}): PackedTrie {
  const { words, ends } = trie;
  const edges = trie.edges.toSorted((a, b) => a.node - b.node || a.word - b.word);
  const edgeCounts = new Int32Array(ends.length);
  for (const { node } of edges) edgeCounts[node] = (edgeCounts[node] ?? 0) + 1;
  return {
    words: packWords(words),
    edgeStarts: startsOf(edgeCounts),
    edgeWords: Int32Array.from(edges, ({ word }) => word),
    edgeNodes: Int32Array.from(edges, ({ next }) => next),
    labelStarts: startsOf(ends.map((labels) => labels?.length ?? 0)),
    labels: Int32Array.from(ends.flatMap((labels) => labels ?? [])),
  };
}

/** The node behind a word; -1 for none. */
export function nextNode({ edgeStarts, edgeWords, edgeNodes }: PackedTrie, node: number, word: number): number {
  let [low, high] = [edgeStarts[node] ?? 0, edgeStarts[node + 1] ?? 0];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = edgeWords[middle] ?? 0;
    if (there === word) return edgeNodes[middle] ?? -1;
    if (there < word) low = middle + 1;
    else high = middle;
  }
  return -1;
}
