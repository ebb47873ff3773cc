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
  // Case folding by Unicode is several times slower, and needed only where the pattern speaks of Unicode.
  const regex = new RegExp(expression, /\\p\{|[^\0-\uFFFF]/u.test(expression) ? "giu" : "gi");
  compiled.set(pattern, regex);
  return regex;
}

/** All places of all patterns, in order; of two that overlap the longer stays. */
export function findAll(track: TextTrack, patterns: readonly string[]): Match[] {
  const matches = patterns.flatMap((pattern) =>
    Array.from(track.text.matchAll(compilePattern(pattern)), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
    })),
  );
  const kept: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (match.text.trim() !== "" && match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  }
  return kept;
}

export function isFound(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const regex = compilePattern(pattern);
    regex.lastIndex = 0;
    return regex.test(text);
  });
}

function phraseExpression(phrase: string): string {
  const words = phrase
    .trim()
    .split(/[\s-]+/u)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"));
  return `(?<![\\p{L}\\p{N}])${words.join("(?:\\s|-){1,3}")}(?![\\p{L}\\p{N}])`;
}
