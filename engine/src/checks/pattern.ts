import { Type } from "typebox";
import type { TextTrack } from "./asset-text.ts";

/**
 * A phrase in plain words, or a regular expression between slashes. A phrase matches whole words in any case, with any
 * space or hyphen between them: "good for your heart" finds "GOOD  for your heart" but not "good for your hearty stew".
 */
export const Pattern = Type.String({ minLength: 2, maxLength: 4000 });
export const Patterns = Type.Array(Pattern, { minItems: 1 });

export type Match = { start: number; end: number; text: string };

const compiled = new Map<string, RegExp>();

/** Throws a SyntaxError for a regular expression that is none. */
export function compilePattern(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const expression = /^\/(.*)\/$/su.exec(pattern)?.[1] ?? phraseExpression(pattern);
  // Patterns meet text in small letters: folding case while matching takes more than twice as long.
  const small = expression.replaceAll(/\\p\{\w+\}|\\.|[A-Z]/giu, (part) =>
    part.startsWith("\\") ? part : part.toLowerCase(),
  );
  const regex = new RegExp(small, /\\p\{|[^\0-\uFFFF]/u.test(small) ? "gu" : "g");
  compiled.set(pattern, regex);
  return regex;
}

const smallTexts = new Map<string, string>();

/** In small letters, with every letter in its place. */
export function smallLetters(text: string): string {
  const known = smallTexts.get(text);
  if (known !== undefined) return known;
  const small = text.toLowerCase();
  // A few letters of the world have two small ones for one capital; those stay as they are.
  const kept = small.length === text.length ? small : Array.from(text, lowerKeepingLength).join("");
  // Pages and tracks are asked for by every rule, snippets once.
  if (text.length > 500) {
    if (smallTexts.size >= 500) smallTexts.clear();
    smallTexts.set(text, kept);
  }
  return kept;
}

function lowerKeepingLength(letter: string): string {
  const small = letter.toLowerCase();
  return small.length === letter.length ? small : letter;
}

/** All places of all patterns, in order; of two that overlap the longer stays. */
export function findAll(track: TextTrack, patterns: readonly string[]): Match[] {
  const matches = patterns.flatMap((pattern) =>
    Array.from(smallLetters(track.text).matchAll(compilePattern(pattern)), ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      text: track.text.slice(index, index + length),
    })),
  );
  const kept: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (match.text.trim() !== "" && match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  }
  return kept;
}

export function isFound(text: string, patterns: readonly string[]): boolean {
  const small = smallLetters(text);
  return patterns.some((pattern) => {
    const regex = compilePattern(pattern);
    regex.lastIndex = 0;
    return regex.test(small);
  });
}

function phraseExpression(phrase: string): string {
  const words = phrase
    .trim()
    .split(/[\s-]+/u)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"));
  return `(?<![\\p{L}\\p{N}])${words.join("(?:\\s|-){1,3}")}(?![\\p{L}\\p{N}])`;
}
