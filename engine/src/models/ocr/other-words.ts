import { isKnownWord } from "../../text/reading/known-words.ts";

/** Whether words became others, of which each is known: a reader that slips makes a word that nobody knows. */
export function areOtherWords(before: string, after: string): boolean {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  const others = old.flatMap((word, index) => (word === young[index] ? [] : [word, young[index] ?? ""]));
  return old.length === young.length && others.length > 0 && others.every(isKnownWord);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
}
