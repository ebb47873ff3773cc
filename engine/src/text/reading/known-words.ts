import { readFileSync } from "node:fs";
import { numberOfWord, packWords } from "./packed-words.ts";

/**
 * Words that advertising uses, in all their forms. What is not among them may be a slip of a reader of pictures. The
 * list was collected from the texts, rules and lexicons in rulepacks, where nearly all of it stands.
 */
const words = packWords(
  readFileSync(new URL("./words.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n"),
);

export function isKnownWord(word: string): boolean {
  return numberOfWord(words, word) >= 0;
}
