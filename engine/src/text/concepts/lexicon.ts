import { keyOf } from "../reading/phrase-trie.ts";
import { tokenize } from "../reading/tokenize.ts";

/** A named list of words and phrases, as rules use it: data, so that it can be sent to the child that judges. */
export type Lexicon = {
  name: string;
  /** Changes by itself whenever its words do, or those of a list inside it. */
  version: string;
  words: readonly string[];
  /** Other lexicons whose words are its words too. */
  includes: readonly string[];
  /** Phrases in which its words have another sense. */
  notIn: readonly string[];
  /** Its phrases are already keys with a space between: to read them all takes longer than to judge most files. */
  isKeyed?: true;
};

/** By name, with everything that they include. */
export type Lexicons = Readonly<Record<string, Lexicon>>;

/** A phrase as it is looked for: one key for each of its words. */
export function keysOfPhrase(phrase: string): string[] {
  return tokenize(phrase).map(({ folded }) => keyOf(folded));
}

const keyed = new WeakMap<Lexicon, Lexicon>();

/** Done once by the process that loads the packs, for all the children that it starts. */
export function withKeys(lexicon: Lexicon): Lexicon {
  if (lexicon.isKeyed) return lexicon;
  const known = keyed.get(lexicon);
  if (known !== undefined) return known;
  const keysOf = (phrases: readonly string[]) => phrases.map((phrase) => keysOfPhrase(phrase).join(" "));
  const ready: Lexicon = { ...lexicon, words: keysOf(lexicon.words), notIn: keysOf(lexicon.notIn), isKeyed: true };
  keyed.set(lexicon, ready);
  return ready;
}
