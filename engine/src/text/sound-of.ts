import { memoize } from "../memoize.ts";

/** Letters in the order in which they are looked at; what follows decides over c and g. */
const spellings: readonly [RegExp, string][] = [
  [/^(?:kn|gn|pn)/, "n"],
  [/^wr/, "r"],
  [/^ps/, "s"],
  [/^x/, "s"],
  [/(?:sch|tsch|tch|ch|sh)/g, "S"],
  [/(?:ti|si|ci)(?=on|al|ous|an)/g, "S"],
  [/ph/g, "f"],
  [/gh(?=t)/g, ""],
  [/gh/g, "k"],
  [/th/g, "t"],
  [/ck/g, "k"],
  [/(?:dge|dg)/g, "S"],
  [/qu/g, "kw"],
  [/c(?=[eiy])/g, "s"],
  [/[cq]/g, "k"],
  [/x/g, "ks"],
  [/g(?=[eiy])/g, "S"],
  [/j/g, "S"],
  [/g/g, "k"],
  [/[vw](?=[aeiouy])/g, "f"],
  [/v/g, "f"],
  [/z/g, "s"],
  [/b/g, "p"],
  [/d/g, "t"],
];

/**
 * A word by its consonants, with those that are taken for each other made one: what is misheard mostly differs in
 * vowels and in voice ("Nuvexa", "new vexer").
 */
export const soundOf = memoize(20_000, spell);

function spell(word: string): string {
  const plain = word
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  const spelled = spellings.reduce((text, [from, to]) => text.replace(from, to), plain);
  const start = /^[aeiouy]/.test(spelled) ? "A" : "";
  // An r after a vowel is not spoken in half of the English-speaking world.
  const spoken = spelled.replaceAll(/(?<=[aeiouy])r(?![aeiouy])/g, "");
  return start + spoken.replaceAll(/[aeiouyhw]/g, "").replaceAll(/(.)\1+/g, "$1");
}
