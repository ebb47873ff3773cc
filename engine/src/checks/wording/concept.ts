import type { Static } from "typebox";
import { locate, sentenceAround, type TextTrack } from "../../text/asset-text.ts";
import { indexOf } from "../../text/concepts/asset-reading.ts";
import {
  isSpared,
  matchTerm,
  type Part,
  type PatternMatch,
  type PatternText,
  preparePatternText,
} from "../../text/concepts/match-pattern.ts";
import { stanceOf } from "../../text/reading/stance.ts";
import type { Stance } from "../../text/reading/reading.ts";
import { type CheckInput, defineCheckKind, everyKind, type Hit, textNeeds } from "../check-kind.ts";
import { ConceptParameters, findTerms, unlessTerms } from "./concept-parameters.ts";
import { heardOrSeen, mergeRepeats, quoted, shorten, standsWhere } from "./phrase.ts";

type Parameters = Static<typeof ConceptParameters>;

/** What is claimed, whatever the words for it. */
export const concept = defineCheckKind({
  kind: "concept",
  about: "Concepts of the lexicons that come together in a clause, a sentence, on a screen or in the asset.",
  parameters: ConceptParameters,
  readsConcepts: true,
  appliesTo: everyKind,
  needs: () => textNeeds,
  run(input) {
    const { parameters } = input;
    const { missing } = parameters;
    const claims = findConceptClaims(input);
    const hits = claims.map((claim) => hitOf(claim, parameters));
    return parameters.once === true && missing !== undefined
      ? hits.slice(0, 1).map((hit) => ({ ...hit, identity: missing }))
      : mergeRepeats(hits);
  },
});

/** Words that a rule found: where, and what each of its slots matched. */
export type ConceptClaim = {
  track: TextTrack;
  start: number;
  end: number;
  slots: { words: string; label: string }[];
  stance: Stance;
  verdict: Verdict;
};

/** Why a match counts or not, for `greenlit rules explain`. */
export type Verdict = "counts" | "stance" | "unless" | "has what it needs" | "source";

const countedStances: readonly Stance[] = ["asserted", "quoted"];

type Asked = Pick<CheckInput<Parameters>, "text" | "lexicons" | "parameters">;

export function findConceptClaims(asked: Asked): ConceptClaim[] {
  return judgeConceptClaims(asked).filter(({ verdict }) => verdict === "counts");
}

/** Every match of the pattern, with what becomes of it; one a sentence is enough. */
export function judgeConceptClaims({ text, lexicons, parameters }: Asked): ConceptClaim[] {
  const terms = findTerms(parameters);
  if (terms.length === 0) return [];
  const read = preparePatternText(text, indexOf(lexicons));
  const claims = terms.flatMap((term) => matchTerm(read, term)).map((match) => claimOf(read, match, parameters));
  if (claims.length === 0) return [];
  const seen = new Set<string>();
  return claims
    .toSorted((a, b) => Number(a.verdict !== "counts") - Number(b.verdict !== "counts"))
    .filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence))
    .toSorted((a, b) => a.order - b.order || a.start - b.start);
}

function claimOf(
  read: PatternText,
  match: PatternMatch,
  parameters: Parameters,
): ConceptClaim & { sentence: string; order: number } {
  const [first] = match.parts;
  const place = read.tracks[first.track];
  if (place === undefined) throw new Error("A match without a track.");
  const { tokens } = place.reading;
  const own = match.parts.filter(({ track }) => track === first.track);
  const stance = stanceOf(place.reading.scopes, own);
  const start = tokens[first.firstToken]?.start ?? 0;
  const end = Math.max(...own.map((part) => tokens[part.endToken - 1]?.end ?? start));
  return {
    track: place.track,
    start,
    end,
    slots: match.parts.map((part) => ({ words: wordsOf(read, part), label: part.label })),
    stance,
    verdict: verdictOf(read, match, { parameters, stance, track: place.track }),
    sentence: `${first.track} ${place.sentenceOf[first.firstToken] ?? 0}`,
    order: first.track,
  };
}

type Weighed = { parameters: Parameters; stance: Stance; track: TextTrack };

function verdictOf(read: PatternText, match: PatternMatch, { parameters, stance, track }: Weighed): Verdict {
  if (!(parameters.sources?.includes(track.source) ?? true)) return "source";
  if (!(parameters.stances ?? countedStances).includes(stance)) return "stance";
  if (unlessTerms(parameters).some(([within, terms]) => isSpared(read, match, terms, within))) return "unless";
  const { needs = [], needsWithin = "asset" } = parameters;
  return isSpared(read, match, needs, needsWithin) ? "has what it needs" : "counts";
}

function wordsOf({ tracks }: PatternText, { track, firstToken, endToken }: Part): string {
  const place = tracks[track];
  const tokens = place?.reading.tokens ?? [];
  return place?.track.text.slice(tokens[firstToken]?.start, tokens[endToken - 1]?.end) ?? "";
}

/** Longer than this, a quote leaves out what stands between the slots. */
const maxQuote = 120;

function hitOf({ track, start, end, slots }: ConceptClaim, { missing }: Parameters): Hit {
  const whole = track.text.slice(start, end);
  const words = whole.length <= maxQuote ? whole : slots.map((slot) => slot.words).join(" … ");
  const sentence = sentenceAround(track, start, end);
  const shown = shorten(words, 120);
  const named = slots.map((slot) => `“${shorten(slot.words, 60)}” (${slot.label})`).join(" and ");
  const location = locate(track, start, end);
  const identity = slots.map((slot) => slot.words).join(" ");
  if (missing === undefined) {
    return {
      summary: `${heardOrSeen(track.source)} ${quoted(sentence)}`,
      headline: `“${shorten(words, 60)}”`,
      reasoning: `${named} ${standsWhere(track.source, slots.length > 1)}.`,
      identity,
      location,
    };
  }
  return {
    summary: `“${shorten(sentence).replace(/[.!]$/u, "")}” comes without ${missing}.`,
    headline: `“${shorten(words, 60)}” without ${missing}`,
    reasoning: `“${shown}” ${standsWhere(track.source, false)}; ${missing} is not where it must be.`,
    identity,
    location,
  };
}
