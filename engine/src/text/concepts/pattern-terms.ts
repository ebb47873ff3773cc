import type { ValueKind } from "../reading/reading.ts";

/** What a rule of the kind `concept` looks for. A bare name is a lexicon. */
export type Term = string | AnyTerm | GroupTerm | WordsTerm | ValueTerm;

export type AnyTerm = { any: readonly Term[] };

/** All of them together: in any order, or one after the other. */
export type GroupTerm = {
  all?: readonly Term[];
  inOrder?: readonly Term[];
  within?: Within;
  /** At most so many words between one and the next. */
  near?: number;
  /** None of these in the same place. */
  without?: readonly Term[];
};

/** Words that only this rule needs, read like the words of a lexicon. */
export type WordsTerm = { words: readonly string[] };

export type ValueTerm = {
  value: ValueKind;
  over?: number;
  atLeast?: number;
  under?: number;
  atMost?: number;
  /** The amount for so much time: "2 kg in a week". */
  per?: Period;
  /** A currency: "GBP". */
  unit?: string;
};

export const withins = ["clause", "sentence", "screen", "asset"] as const;
export type Within = (typeof withins)[number];

/** Where what spares or qualifies a claim can stand: also among the first words, which are seen before "more". */
export const places = [...withins, "opening"] as const;
export type Place = (typeof places)[number];

export const periodDays = { day: 1, week: 7, month: 30, year: 365 } as const;
export type Period = keyof typeof periodDays;

export function isGroup(term: Term): term is GroupTerm {
  return typeof term === "object" && ("all" in term || "inOrder" in term);
}

/** The name under which words of a rule are looked for, together with the lexicons. */
export function nameOfWords({ words }: WordsTerm): string {
  return `words: ${words.join(", ")}`;
}

/** Every term inside a term, itself included. */
export function* termsIn(term: Term): Generator<Term> {
  yield term;
  if (typeof term === "string") return;
  const inner =
    "any" in term ? term.any : isGroup(term) ? [...(term.all ?? term.inOrder ?? []), ...(term.without ?? [])] : [];
  for (const each of inner) yield* termsIn(each);
}
