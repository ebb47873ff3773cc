/** A text as a reader takes it in. All places are offsets in the source, so a quote is always a part of it. */
export type Reading = {
  text: string;
  tokens: Token[];
  clauses: Clause[];
  sentences: Sentence[];
  values: Value[];
  /** Cues that change what a stretch of words amounts to: "not", "the regulator said", "if". */
  scopes: ScopeIndex;
};

export type Token = {
  start: number;
  end: number;
  /** Small letters, without accents. */
  folded: string;
  /** The dictionary form: "cure" for "cured", "1" for "one", "%" for "per cent". */
  lemma: string;
  pos: PartOfSpeech;
  /** What stands between the token before and this one. */
  gap: Gap;
  /** The first token of a number, an amount, a duration … carries it. */
  value?: Value;
};

export type PartOfSpeech =
  | "noun"
  | "verb"
  | "adjective"
  | "adverb"
  | "pronoun"
  | "determiner"
  | "preposition"
  | "conjunction"
  | "number"
  | "symbol"
  | "emoji";

/** `space`: nothing but space; `joint`: a hyphen, slash, point inside an address; `quote`: a quotation mark. */
export type Gap = "space" | "joint" | "quote" | "comma" | "colon" | "dash" | "bracket" | "bullet" | "stop";

/** Tokens from `firstToken` up to but without `endToken`. */
export type Clause = { start: number; end: number; firstToken: number; endToken: number; stance: Stance };

export type Sentence = {
  start: number;
  end: number;
  firstToken: number;
  endToken: number;
  isQuestion: boolean;
  clauses: Clause[];
};

export const stances = ["asserted", "negated", "reported", "asked", "conditional", "past", "quoted", "named"] as const;

/** What a clause does with its words: claims them, denies them, reports somebody else's claim, asks … */
export type Stance = (typeof stances)[number];

/** Scopes by stretches of tokens; see `stanceOf`. */
export type ScopeIndex = readonly (readonly StanceScope[] | undefined)[];

export type StanceScope = {
  stance: Stance;
  /** The tokens of the cue itself; a concept that holds the cue ("no risk") is not changed by it. */
  cueStart: number;
  cueEnd: number;
  scopeStart: number;
  scopeEnd: number;
};

export const valueKinds = ["number", "money", "percentage", "weight", "duration", "date", "multiple", "age"] as const;

export type ValueKind = (typeof valueKinds)[number];

export type Value = {
  kind: ValueKind;
  firstToken: number;
  endToken: number;
  /** In the unit of its kind: kilograms, days, percent, units of the currency, times; a date is null. */
  amount: number | null;
  /** The currency ("GBP"), or the unit as it was written. */
  unit: string | null;
  /** "£20 a month", "2 kg in a week": the days that the amount is for. */
  perDays: number | null;
};
