import { Type } from "typebox";

/**
 * A phrase in plain words, or a regular expression between slashes. A phrase matches whole words in any case, with any
 * space or hyphen between them: "good for your heart" finds "GOOD  for your heart" but not "good for your hearty stew".
 */
export const Pattern = Type.String({ minLength: 2, maxLength: 4000 });
export const Patterns = Type.Array(Pattern, { minItems: 1 });

const compiled = new Map<string, RegExp>();

/** Throws a SyntaxError for an invalid regular expression. */
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

/** In small letters, with every letter in its place. */
export function smallLetters(text: string): string {
  const small = text.toLowerCase();
  // A few letters of the world have two small ones for one capital; those stay as they are.
  return small.length === text.length ? small : Array.from(text, lowerKeepingLength).join("");
}

function lowerKeepingLength(letter: string): string {
  const small = letter.toLowerCase();
  return small.length === letter.length ? small : letter;
}

/** In a short text; for those of a whole file see `text-search.ts`. */
export function isFound(text: string, patterns: readonly string[]): boolean {
  const small = smallLetters(text);
  return patterns.some((pattern) => isIn(small, compilePattern(pattern)));
}

/** Leaves no place behind in the expression: the next search would begin there, and overlook what is before. */
export function isIn(small: string, regex: RegExp): boolean {
  return small.search(regex) >= 0;
}

function phraseExpression(phrase: string): string {
  const words = phrase
    .trim()
    .split(/[\s-]+/u)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"));
  return `(?<![\\p{L}\\p{N}])${words.join("(?:\\s|-){1,3}")}(?![\\p{L}\\p{N}])`;
}
