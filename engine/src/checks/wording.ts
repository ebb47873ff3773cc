import { Type } from "typebox";
import { locate, type TextTrack } from "./asset-text.ts";
import { defineCheckKind, everyKind, type Hit, textNeeds } from "./check-kind.ts";
import { Patterns } from "./pattern.ts";
import { findClaims, shorten, Sources } from "./phrase.ts";

/** A text that the law gives word for word. */
export const wording = defineCheckKind({
  kind: "wording",
  about: "Wording required word for word; quotes, dashes, spaces, case and slips of reading are tolerated.",
  parameters: Type.Object({
    /** What makes the duty arise. Left out: the sector alone does. */
    anyOf: Type.Optional(Patterns),
    noneOf: Type.Optional(Patterns),
    sources: Type.Optional(Sources),
    /** One of these texts is enough. */
    required: Type.Array(Type.String({ minLength: 8 }), { minItems: 1 }),
    /** What the text is, for "… without X": "the FCA's risk warning". */
    missing: Type.String({ minLength: 3 }),
  }),
  appliesTo: everyKind,
  needs: () => textNeeds,
  run({ text, parameters }) {
    const { required, missing, anyOf } = parameters;
    const claims = anyOf === undefined ? [] : findClaims(text.tracks, { ...parameters, anyOf });
    if ((anyOf !== undefined && claims.length === 0) || text.tracks.length === 0) return [];
    const nearest = required
      .flatMap((wanted) => text.tracks.map((track) => nearestTo(wanted, track)))
      .toSorted((a, b) => a.share - b.share)[0];
    if (nearest === undefined || nearest.edits <= tolerated(nearest.wanted)) return [];
    const first = claims[0];
    const wanted = shorten(nearest.wanted, 400);
    const isAltered = nearest.share < 0.25;
    const because = first === undefined ? "" : ` for “${shorten(first.match.text, 60)}”`;
    const hit: Hit = {
      summary: isAltered
        ? `The wording of ${missing} differs from the required one: “${shorten(nearest.found)}”.`
        : `This file needs ${missing}${because}, and does not have it.`,
      headline: isAltered ? `${capitalise(missing)} is altered` : `${capitalise(missing)} is missing`,
      reasoning: isAltered
        ? `The nearest text is “${shorten(nearest.found, 300)}”, ${nearest.edits} characters away from the required “${wanted}”; ${tolerated(nearest.wanted)} are tolerated as slips of reading.`
        : `Required word for word${because}: “${wanted}”. Nothing in the file comes near it.`,
      sameness: missing,
      recommendation: `Use exactly: “${wanted}”`,
      ...locationOf(isAltered, nearest, first),
    };
    return [hit];
  },
});

type Nearest = {
  wanted: string;
  track: TextTrack;
  start: number;
  end: number;
  found: string;
  edits: number;
  share: number;
};

/** Two slips in fifty characters: what reading from a picture costs at its worst. */
function tolerated(wanted: string): number {
  return Math.max(1, Math.floor((lettersOf(wanted).letters.length * 2) / 50));
}

function locationOf(
  isAltered: boolean,
  nearest: Nearest,
  first: ReturnType<typeof findClaims>[number] | undefined,
): Pick<Hit, "location"> {
  if (isAltered) return { location: locate(nearest.track, nearest.start, nearest.end) };
  if (first === undefined) return {};
  return { location: locate(first.track, first.match.start, first.match.end) };
}

/** Letters and figures only, each with its place: punctuation, case and line breaks never make a difference. */
function lettersOf(text: string): { letters: string[]; places: number[] } {
  const letters: string[] = [];
  const places: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (!/[\p{L}\p{N}%£€$]/u.test(character)) continue;
    letters.push(character.toLowerCase());
    places.push(index);
  }
  return { letters, places };
}

/** The part of the track that is the fewest edits away (Sellers' algorithm). */
function nearestTo(wanted: string, track: TextTrack): Nearest {
  const { letters: pattern } = lettersOf(wanted);
  const { letters, places } = lettersOf(track.text);
  let costs = pattern.map((_, row) => row + 1);
  let starts = pattern.map(() => 0);
  let best = { edits: pattern.length, start: 0, end: 0 };
  for (const [column, letter] of letters.entries()) {
    const nextCosts: number[] = [];
    const nextStarts: number[] = [];
    for (const [row, expected] of pattern.entries()) {
      const [upper, upperStart] = row === 0 ? [0, column + 1] : [nextCosts[row - 1] ?? 0, nextStarts[row - 1] ?? 0];
      const [diagonal, diagonalStart] = row === 0 ? [0, column] : [costs[row - 1] ?? 0, starts[row - 1] ?? 0];
      const match = diagonal + (letter === expected ? 0 : 1);
      const left = (costs[row] ?? 0) + 1;
      const up = upper + 1;
      const least = Math.min(match, left, up);
      nextCosts.push(least);
      nextStarts.push(least === match ? diagonalStart : least === left ? (starts[row] ?? 0) : upperStart);
    }
    [costs, starts] = [nextCosts, nextStarts];
    const edits = costs.at(-1) ?? Infinity;
    if (edits < best.edits) best = { edits, start: starts.at(-1) ?? 0, end: column };
  }
  const start = places[best.start] ?? 0;
  const end = (places[best.end] ?? -1) + 1;
  return {
    wanted,
    track,
    start,
    end,
    found: track.text.slice(start, end),
    edits: best.edits,
    share: best.edits / Math.max(1, pattern.length),
  };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
