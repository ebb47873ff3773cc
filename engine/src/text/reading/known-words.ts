import { readFileSync } from "node:fs";

/**
 * Words that advertising uses, in all their forms. What is not among them may be a slip of a reader of pictures. The
 * list was collected from this project's own texts, rules and lexicons (rulepacks) and holds no foreign word list.
 */
const words: ReadonlySet<string> = new Set(
  readFileSync(new URL("./words.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n"),
);

export function isKnownWord(word: string): boolean {
  return words.has(word);
}
