import { memoize } from "../../memoize.ts";

/** A word of a text: where it is, and the keys of what it is made of. */
export type Word = { start: number; end: number; key: number; grams: readonly number[] };

const tokens = /\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{N}]+(?:['’]\p{L}+)?|[£$€₹%@#!?]|\p{Extended_Pictographic}/gu;
const gramLengths = [3, 4, 5];

/** The words of a text in order. Signs that carry a claim (£, %, !) and emoji count as words. */
export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(tokens), ({ 0: token, index }) => {
    const { key, grams } = formOf(token);
    return { start: index, end: index + token.length, key, grams };
  });
}

/** The key of two words that follow each other. `null`: the beginning or the end of the text. */
export function pairKey(first: Word | null, second: Word | null): number {
  return mix(Math.imul(first?.key ?? 0x5bd1e995, 0x01000193) ^ (second?.key ?? 0x27d4eb2f));
}

export function contextKey(name: string, value: string): number {
  return hashOf(`${name}=${value}`, 0x811c9dc5 ^ 0x55);
}

type Form = { key: number; grams: readonly number[] };

/** Words repeat: most of a long document is found here. */
const formOf = memoize(50_000, (token: string): Form => {
  const folded = fold(token);
  return { key: hashOf(folded, 0x811c9dc5), grams: gramsOf(folded) };
});

/**
 * Any number is the same number. Letters that a reader of pictures confuses are one letter: "capsu1es" and "capsules",
 * "rnoney" and "money" must not be strangers.
 */
function fold(token: string): string {
  if (/^[\p{N}.,:]+$/u.test(token)) return "#";
  return token
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[1i|]/g, "l")
    .replaceAll("0", "o")
    .replaceAll("5", "s")
    .replaceAll(/\p{N}/gu, "#");
}

function gramsOf(folded: string): number[] {
  const padded = `_${folded}_`;
  if (padded.length <= 3) return [];
  const grams: number[] = [];
  for (const length of gramLengths)
    for (let start = 0; start + length <= padded.length; start += 1)
      grams.push(hashOf(padded.slice(start, start + length), 0x9747b28c));
  return grams;
}

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let hash = value ^ (value >>> 15);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
