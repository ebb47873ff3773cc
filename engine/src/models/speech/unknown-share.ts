import { isKnownWord } from "../../text/reading/known-words.ts";

/** Share of the words of a text, 0 to 1, that advertising does not use. */
export function unknownShare(text: string): number {
  const words = text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  return words.filter((word) => !isKnownWord(word)).length / Math.max(1, words.length);
}
