import { hasPlainLetters } from "../../text/ascii.ts";
import { Type } from "typebox";
import { type AssetText, locate, sentenceAround, type TextSource } from "../../text/asset-text.ts";
import { defineCheckKind, everyKind, type Hit, textNeeds } from "../check-kind.ts";
import { stanceAt } from "../../text/concepts/asset-reading.ts";
import { type Stance, stances } from "../../text/reading/reading.ts";
import { Patterns } from "../../text/pattern.ts";
import { findAll, type FoundMatch, isAnywhere, isFoundWithin } from "../../text/text-search.ts";

export const Sources = Type.Array(
  Type.Union([Type.Literal("screen"), Type.Literal("speech"), Type.Literal("caption"), Type.Literal("document")]),
  { minItems: 1 },
);

/** What counts; left out: all but what is negated or reported. */
export const Stances = Type.Array(Type.Enum([...stances]), { minItems: 1 });

/** Words that must not be there. */
export const phrase = defineCheckKind({
  kind: "phrase",
  about: "Words that should not be there at all, unless something near them makes them harmless.",
  parameters: Type.Object({
    anyOf: Patterns,
    /** Within the same sentence, or 80 characters around it, these make the words harmless. */
    noneOf: Type.Optional(Patterns),
    /** Anywhere in the asset, these make the words harmless ("for trade customers only"). */
    unlessAnywhere: Type.Optional(Patterns),
    sources: Type.Optional(Sources),
    stances: Type.Optional(Stances),
  }),
  appliesTo: everyKind,
  needs: () => textNeeds,
  run({ text, parameters }) {
    const claims = findClaims(text, parameters);
    if (claims.length === 0 || isAnywhere(text, parameters.unlessAnywhere ?? [])) return [];
    return mergeRepeats(
      claims.map(({ track, match }) => ({
        summary: `${heardOrSeen(track.source)} ${quoted(sentenceAround(track, match.start, match.end))}`,
        headline: `“${shorten(match.text, 60)}”`,
        reasoning: `${countWords(match.text)} ${standsWhere(track.source, /\s/u.test(match.text.trim()))}.`,
        identity: match.text,
        location: locate(track, match.start, match.end),
      })),
    );
  },
});

/** Where the words of a rule are, without those that their surroundings make harmless. */
export function findClaims(
  text: AssetText,
  options: {
    anyOf: readonly string[];
    noneOf?: readonly string[];
    sources?: readonly TextSource[];
    stances?: readonly Stance[];
  },
): FoundMatch[] {
  return findAll(text, options.anyOf).filter(({ track, match: { start, end } }) => {
    if (!(options.sources?.includes(track.source) ?? true)) return false;
    if (isFoundWithin(text, { track, start: start - 80, end: end + 80 }, options.noneOf ?? [])) return false;
    const stance = stanceAt(track, start, end);
    return options.stances === undefined ? !deniedStances.has(stance) : options.stances.includes(stance);
  });
}

/** Words in these are nobody's claim: "we never promise a cure", "the court fined them for promising a cure". */
const deniedStances: ReadonlySet<Stance> = new Set(["negated", "reported"]);

/** One problem, however often the same words are repeated: it is reported where they come first, with their number. */
export function mergeRepeats(hits: readonly Hit[]): Hit[] {
  const groups = Map.groupBy(hits, ({ identity }) =>
    identity
      .toLowerCase()
      .replaceAll(hasPlainLetters(identity) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, " ")
      .trim(),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    if (others.length === 0) return [first];
    const times = others.length === 1 ? "once more" : `${others.length} more times`;
    return [{ ...first, reasoning: `${first.reasoning} This comes ${times} in this file.` }];
  });
}

/** In quotes, and ended: by its own stop or by ours. */
export function quoted(sentence: string): string {
  const words = shorten(sentence);
  return /[.!?…]$/u.test(words) ? `“${words}”` : `“${words}”.`;
}

export function shorten(text: string, length = 160): string {
  // A pattern that begins at the start of a sentence brings the stop before it.
  const plain = text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^[.,;:!?] +/u, "");
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).trimEnd()}…`;
}

export function standsWhere(source: TextSource, areSeveral: boolean): string {
  const where = { screen: "on screen", speech: "spoken", caption: "in the captions", document: "in the text" }[source];
  return `${areSeveral ? "are" : "is"} ${where}`;
}

function countWords(words: string): string {
  return `The ${/\s/u.test(words.trim()) ? "words" : "word"} “${shorten(words, 120)}”`;
}

export function heardOrSeen(source: TextSource): string {
  return {
    screen: "On screen:",
    speech: "The voice says:",
    caption: "The captions say:",
    document: "The text says:",
  }[source];
}
