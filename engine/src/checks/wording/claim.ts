import { Type } from "typebox";
import { locate, piecesOf, sentenceAround, type AssetText } from "../../text/asset-text.ts";
import { defineCheckKind, everyKind, type Hit, textNeeds } from "../check-kind.ts";
import { isFound, Pattern, Patterns } from "../../text/pattern.ts";
import { findClaims, mergeRepeats, shorten, Sources, Stances, standsWhere } from "./phrase.ts";
import { findAll, type FoundMatch, isAnywhere, isFoundWithin } from "../../text/text-search.ts";

/** A claim that is allowed with a qualifier, and has none. */
export const claim = defineCheckKind({
  kind: "claim",
  about: "A claim that needs a qualifier: near it, on the same screen, or anywhere in the asset.",
  parameters: Type.Object({
    anyOf: Patterns,
    noneOf: Type.Optional(Patterns),
    /** Anywhere in the asset, these show that the duty does not apply to this text (another country's, a news report's). */
    unlessAnywhere: Type.Optional(Patterns),
    /** One of these is enough. */
    needs: Type.Optional(Patterns),
    /** Or all of one of these lists, in any order. */
    needsAll: Type.Optional(Type.Array(Patterns, { minItems: 1 })),
    /** `near`: within `nearCharacters`; `screen`: on screen while the claim is; `asset`: anywhere. */
    within: Type.Optional(Type.Union([Type.Literal("near"), Type.Literal("screen"), Type.Literal("asset")])),
    nearCharacters: Type.Optional(Type.Integer({ minimum: 10, maximum: 5000 })),
    sources: Type.Optional(Sources),
    stances: Type.Optional(Stances),
    /** A duty that one statement fulfils for the whole file (a signpost, an imprint): it is missing once, not a claim. */
    once: Type.Optional(Type.Boolean()),
    /** What is missing, for the sentence "… without X": "a stated basis". */
    missing: Type.String({ minLength: 3 }),
    example: Type.Optional(Pattern),
  }),
  appliesTo: everyKind,
  needs: () => textNeeds,
  run({ text, parameters }) {
    const { needs = [], needsAll = [], within = "asset", nearCharacters = 300, missing } = parameters;
    const isFulfilled = (isThere: IsThere) =>
      isThere(needs) || needsAll.some((list) => list.every((pattern) => isThere([pattern])));
    const claims = findClaims(text, parameters);
    if (claims.length === 0 || isAnywhere(text, parameters.unlessAnywhere ?? [])) return [];
    if (within === "asset" && isFulfilled((patterns) => isAnywhere(text, patterns))) return [];
    const hits = claims.flatMap((found): Hit[] => {
      const { track, match } = found;
      if (within === "near" && isFulfilled(isNear(text, found, nearCharacters))) return [];
      if (within === "screen" && isFulfilled(isOnScreenWith(text, found))) return [];
      return [
        {
          summary: `“${shorten(sentenceAround(track, match.start, match.end)).replace(/[.!]$/u, "")}” comes without ${missing}.`,
          headline: `“${shorten(match.text, 60)}” without ${missing}`,
          reasoning: `“${shorten(match.text, 120)}” ${standsWhere(track.source, false)}; ${missing} ${place(track.source === "screen" || within !== "screen" ? within : "near")}${elsewhere(text, needs, within)}.`,
          identity: match.text,
          location: locate(track, match.start, match.end),
        },
      ];
    });
    return parameters.once ? hits.slice(0, 1).map((hit) => ({ ...hit, identity: missing })) : mergeRepeats(hits);
  },
});

type IsThere = (patterns: readonly string[]) => boolean;

function isNear(text: AssetText, { track, match }: FoundMatch, characters: number): IsThere {
  const around = { track, start: match.start - characters, end: match.end + characters };
  return (patterns) => isFoundWithin(text, around, patterns);
}

/** In all that is on screen at some moment of the claim; for speech and documents, in what is near. */
function isOnScreenWith(text: AssetText, found: FoundMatch): IsThere {
  const spans = piecesOf(found.track, found.match.start, found.match.end).flatMap(({ at }) =>
    typeof at.startSeconds === "number" && typeof at.endSeconds === "number"
      ? [[at.startSeconds, at.endSeconds] as const]
      : [],
  );
  if (spans.length === 0) return isNear(text, found, 600);
  const seen = text.tracks.flatMap((other) =>
    other.pieces
      .filter(({ at }) =>
        spans.some(([start, end]) => (at.startSeconds ?? Infinity) < end && (at.endSeconds ?? -Infinity) > start),
      )
      .map((piece) => other.text.slice(piece.start, piece.end)),
  );
  return (patterns) => isFound(seen.join("\n"), patterns);
}

function place(within: "near" | "screen" | "asset"): string {
  return { near: "is not beside it", screen: "is not shown at the same time", asset: "is nowhere in this file" }[
    within
  ];
}

/** A qualifier that is there, but not where it must be, is the most useful thing to point at. */
function elsewhere(text: AssetText, needs: readonly string[], within: "near" | "screen" | "asset"): string {
  if (within === "asset") return "";
  const [found] = findAll(text, needs);
  if (found === undefined) return "";
  const { track, match } = found;
  const { startSeconds, page } = locate(track, match.start, match.end);
  const onPage = typeof page === "number" ? ` on page ${page}` : " elsewhere";
  const where = typeof startSeconds === "number" ? ` at ${startSeconds.toFixed(1)} s` : onPage;
  return ` (“${shorten(match.text, 60)}” comes only${where})`;
}
