import { isKnownWord } from "../../text/reading/known-words.ts";
import { lemmaOf } from "../../text/reading/lemma.ts";

/** Another letter that the reader saw in the same place. */
export type Rival = { character: string; likelihood: number };
export type ReadLetter = { character: string; likelihood: number; rivals: Rival[] };

/** What the reader holds for less likely is never what was there. */
export const leastRival = 0.04;
/** A name is no word that one knows either, so more is asked before it becomes one. */
const leastInName = 0.25;
const minLetters = 4;

/**
 * The letters of a line, where a word that nobody knows gives way to one that the reader saw almost as well: "cancen"
 * at the edge of a box, with an r nearly as likely as its n, is "cancer". What was read without doubt stays, however
 * odd it is.
 */
export function likelyWords(letters: readonly ReadLetter[]): string {
  const characters = letters.map(({ character }) => character);
  for (const { start, end } of wordsOf(characters)) {
    const word = characters.slice(start, end).join("");
    if (end - start < minLetters || isWord(word)) continue;
    const least = /^\p{Lu}\p{Ll}/u.test(word) ? leastInName : leastRival;
    const known = letters
      .slice(start, end)
      .flatMap(({ rivals }, offset) => rivals.map((rival) => ({ ...rival, index: start + offset })))
      .filter(({ likelihood }) => likelihood >= least)
      .toSorted((a, b) => b.likelihood - a.likelihood)
      .find(({ character, index }) =>
        isWord(
          characters
            .slice(start, end)
            .with(index - start, character)
            .join(""),
        ),
      );
    if (known !== undefined) characters[known.index] = known.character;
  }
  return characters.join("");
}

function wordsOf(characters: readonly string[]): { start: number; end: number }[] {
  const words: { start: number; end: number }[] = [];
  for (let start = 0; start < characters.length; start += 1) {
    if (!isLetter(characters[start])) continue;
    let end = start + 1;
    while (end < characters.length && isLetter(characters[end])) end += 1;
    words.push({ start, end });
    start = end;
  }
  return words;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /^[\p{L}']+$/u.test(character);
}

function isWord(word: string): boolean {
  const plain = word.toLowerCase();
  return isKnownWord(plain) || isKnownWord(lemmaOf(plain));
}
