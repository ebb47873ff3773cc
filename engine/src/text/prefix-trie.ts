import { wordStart } from "./pattern-prefixes.ts";
import { isOfWord, symbolCount, symbolsOf } from "./text-symbols.ts";

/** The openings of many patterns, symbol by symbol: one pass over a text finds where each pattern could begin. */
export type OpeningTree = {
  patternCount: number;
  /** For each node, its child by each symbol; 0 for none. */
  children: Int32Array;
  /** For each node, the numbers of the patterns of which an opening ends there. */
  endings: readonly (readonly number[] | undefined)[];
};

/** The roots of what may begin anywhere, and of what begins like a word. */
const anywhere = 0;
const atWordStart = 1;
const insideWord = [anywhere];
const outsideWord = [anywhere, atWordStart];

/** `openings[n]` are those of pattern n. */
export function buildTrie(openings: readonly (readonly string[])[]): OpeningTree {
  const endings: (number[] | undefined)[] = [undefined, undefined];
  let children = new Int32Array(64 * symbolCount);
  const growChild = (node: number, symbol: number): number => {
    const slot = node * symbolCount + symbol;
    if (children[slot] === 0) children[slot] = endings.push(undefined) - 1;
    if (endings.length * symbolCount > children.length) {
      const larger = new Int32Array(children.length * 2);
      larger.set(children);
      children = larger;
    }
    return children[slot] ?? 0;
  };
  for (const [pattern, each] of openings.entries()) {
    // The short ones first: what begins like one of them is found by it.
    for (const opening of each.toSorted((a, b) => a.length - b.length)) {
      const isWordStart = opening.startsWith(wordStart);
      let node = isWordStart ? atWordStart : anywhere;
      for (const symbol of symbolsOf(opening.slice(isWordStart ? wordStart.length : 0))) {
        if (endings[node]?.at(-1) === pattern) break;
        node = growChild(node, symbol);
      }
      if (endings[node]?.at(-1) !== pattern) (endings[node] ??= []).push(pattern);
    }
  }
  return { patternCount: openings.length, children, endings };
}

/** For each pattern the places where one of its openings stands, in order, some perhaps twice. */
export function findPlaces(tree: OpeningTree, symbols: Uint8Array): (number[] | undefined)[] {
  // Most stand nowhere in a short text: a list for each would cost more than the search.
  const places = Array.from<number[] | undefined>({ length: tree.patternCount });
  for (let place = 0; place < symbols.length; place += 1) {
    for (const root of isOfWord(symbols[place - 1]) ? insideWord : outsideWord) {
      for (let node = childOf(tree, root, symbols[place]), next = place + 1; node !== 0; next += 1) {
        const ended = tree.endings[node];
        if (ended !== undefined) for (const pattern of ended) (places[pattern] ??= []).push(place);
        node = childOf(tree, node, symbols[next]);
      }
    }
  }
  return places;
}

/** Whether an opening of the pattern would stand here if a word began here. */
export function couldStand(tree: OpeningTree, pattern: number, rest: Uint8Array): boolean {
  return outsideWord.some((root) => {
    let node = root;
    for (const symbol of rest) {
      node = childOf(tree, node, symbol);
      if (node === 0) return false;
      if (tree.endings[node]?.includes(pattern)) return true;
    }
    return false;
  });
}

/** 0 for none, as for no symbol at all. */
function childOf({ children }: OpeningTree, node: number, symbol: number | undefined): number {
  return symbol === undefined ? 0 : (children[node * symbolCount + symbol] ?? 0);
}
