import { hasPlainLetters, isAscii } from "../../text/ascii.ts";
import { type Static, Type } from "typebox";
import { locate, type TextTrack } from "../../text/asset-text.ts";
import { type CheckInput, defineCheckKind, everyKind, type Hit, textNeeds } from "../check-kind.ts";
import { Patterns } from "../../text/pattern.ts";
import { findConceptClaims } from "./concept.ts";
import { ConceptParameters } from "./concept-parameters.ts";
import { findClaims, shorten, Sources } from "./phrase.ts";
import { type FoundMatch, isAnywhere } from "../../text/text-search.ts";

const WordingParameters = Type.Object({
  /** What makes the duty arise, as concepts or as patterns. Both left out: the sector alone does. */
  find: ConceptParameters.properties.find,
  unless: ConceptParameters.properties.unless,
  anyOf: Type.Optional(Patterns),
  noneOf: Type.Optional(Patterns),
  /** Anywhere in the asset, these show that the duty does not apply to this text (another country's, a news report's). */
  unlessAnywhere: Type.Optional(Patterns),
  sources: Type.Optional(Sources),
  stances: ConceptParameters.properties.stances,
  /** One of these texts is enough. */
  required: Type.Array(Type.String({ minLength: 8 }), { minItems: 1 }),
  /** What the text is, for "… without X": "the FCA's risk warning". */
  missing: Type.String({ minLength: 3 }),
});

/** A text that the law gives word for word. */
export const wording = defineCheckKind({
  kind: "wording",
  about: "Wording required word for word; quotes, dashes, spaces, case and slips of reading are tolerated.",
  parameters: WordingParameters,
  readsConcepts: true,
  appliesTo: everyKind,
  needs: () => textNeeds,
  run(input) {
    const { text, parameters } = input;
    const { required, missing, unlessAnywhere = [] } = parameters;
    if (isAnywhere(text, unlessAnywhere)) return [];
    const claims = triggersIn(input);
    if (claims?.length === 0 || text.tracks.length === 0) return [];
    const nearest = required
      .flatMap((wanted) => text.tracks.map((track) => nearestTo(wanted, track)))
      .toSorted((a, b) => a.share - b.share)[0];
    if (nearest === undefined || nearest.edits <= tolerated(nearest)) return [];
    const first = claims?.[0];
    const isAltered = nearest.share < 0.4;
    const wanted = shorten(isAltered ? nearest.wanted : (required[0] ?? nearest.wanted), 400);
    const orAnother = required.length > 1 ? ", or another of the wordings that are accepted" : "";
    const because = first === undefined ? "" : ` for “${shorten(first.match.text, 60)}”`;
    const hit: Hit = {
      summary: isAltered
        ? `The wording of ${missing} differs from the required one: “${shorten(nearest.found)}”.`
        : `This file needs ${missing}${because}, and does not have it.`,
      headline: isAltered ? `${capitalise(missing)} is altered` : `${capitalise(missing)} is missing`,
      reasoning: isAltered
        ? `The nearest text is “${shorten(nearest.found, 300)}”, ${nearest.edits} characters away from the required “${wanted}”; ${tolerated(nearest)} are tolerated as slips of reading.`
        : `Required word for word${because}: “${wanted}”${/[.!?]$/u.test(wanted) ? "" : "."} Nothing in the file comes near it.`,
      identity: missing,
      recommendation: `Use exactly: “${wanted}”${orAnother}${orAnother === "" && /[.!?]$/u.test(wanted) ? "" : "."}`,
      ...locationOf(isAltered, nearest, first),
    };
    return [hit];
  },
});

type Asked = Pick<CheckInput<Static<typeof WordingParameters>>, "text" | "lexicons" | "parameters">;

/** What makes the duty arise, in the order of the text. Null: it always does. */
function triggersIn({ text, lexicons, parameters }: Asked): FoundMatch[] | null {
  const { find, anyOf } = parameters;
  if (find === undefined && anyOf === undefined) return null;
  const byPattern = anyOf === undefined ? [] : findClaims(text, { ...parameters, anyOf });
  if (find === undefined) return byPattern;
  const byConcept = findConceptClaims({ text, lexicons, parameters }).map(({ track, start, end }) => ({
    track,
    match: { start, end, text: track.text.slice(start, end) },
  }));
  return [...byConcept, ...byPattern];
}

type Nearest = {
  wanted: string;
  track: TextTrack;
  start: number;
  end: number;
  found: string;
  edits: number;
  share: number;
};

/** Two slips in fifty characters are what reading from a picture costs at its worst; hearing writes figures its own way. */
function tolerated({ wanted, track }: Pick<Nearest, "wanted" | "track">): number {
  const letters = lettersOf(wanted).letters.length;
  return Math.max(1, Math.floor(track.source === "speech" ? letters * 0.15 : (letters * 2) / 50));
}

function locationOf(isAltered: boolean, nearest: Nearest, first: FoundMatch | undefined): Pick<Hit, "location"> {
  if (isAltered) return { location: locate(nearest.track, nearest.start, nearest.end) };
  if (first === undefined) return {};
  return { location: locate(first.track, first.match.start, first.match.end) };
}

/** Letters and figures only, each with its place: punctuation, case and line breaks never make a difference. */
function lettersOf(text: string): { letters: string[]; places: number[] } {
  const letters: string[] = [];
  const places: number[] = [];
  const folded = foldLookAlikes(text);
  const counted = hasPlainLetters(folded) ? /[A-Za-z0-9%£€$]/ : /[\p{L}\p{N}%£€$]/u;
  for (let index = 0; index < folded.length; index += 1) {
    const character = folded[index] ?? "";
    if (!counted.test(character)) continue;
    letters.push(character.toLowerCase());
    places.push(index);
  }
  return { letters, places };
}

const lookAlikes: Readonly<Record<string, string>> = { "0": "o", "1": "l", "5": "s", "|": "l", i: "l", I: "l" };

/** "Y0UR H0ME lS AT R1SK" is the warning as a reader of pictures sees it. Of the same length; figures stay figures. */
function foldLookAlikes(text: string): string {
  const words = isAscii(text) ? /[0-9|]*[A-Za-z][A-Za-z0-9|]*/g : /[\p{N}|]*\p{L}[\p{L}\p{N}|]*/gu;
  return text.replaceAll(words, (word) =>
    word.replaceAll(/[015|iI]/g, (character) => lookAlikes[character] ?? character),
  );
}

/** The part of the track that is the fewest edits away. Only where one of its rarer words stands is worth a look. */
function nearestTo(wanted: string, track: TextTrack): Nearest {
  const { letters: pattern } = lettersOf(wanted);
  const nothing = { wanted, track, start: 0, end: 0, found: "", edits: pattern.length, share: 1 };
  return windowsOf(wanted, track.text)
    .map(({ from, to }) => {
      const { letters, places } = lettersOf(track.text.slice(from, to));
      const best = alignBest(pattern, letters);
      const start = from + (places[best.start] ?? 0);
      const end = from + (places[best.end] ?? -1) + 1;
      const found = track.text.slice(start, end);
      return { wanted, track, start, end, found, edits: best.edits, share: best.edits / Math.max(1, pattern.length) };
    })
    .reduce((least, next) => (next.edits < least.edits ? next : least), nothing);
}

/** Stretches of the text where at least half of the wanted one's longest words stand close together. */
function windowsOf(wanted: string, text: string): { from: number; to: number }[] {
  const words = [
    ...new Set(foldLookAlikes(wanted.toLowerCase()).match(hasPlainLetters(wanted) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu)),
  ];
  const folded = foldLookAlikes(text);
  const anchors = words.toSorted((a, b) => b.length - a.length).slice(0, 6);
  const inLowerCase = folded.toLowerCase();
  const there = anchors.filter((anchor) => inLowerCase.includes(anchor));
  const places = there.flatMap((anchor) =>
    Array.from(folded.matchAll(new RegExp(`(?<!\\p{L})${anchor}(?!\\p{L})`, "giu")), ({ index }) => ({
      index,
      anchor,
    })),
  );
  const inOrder = places.toSorted((a, b) => a.index - b.index);
  const reach = wanted.length * 1.3;
  const windows: { from: number; to: number }[] = [];
  let first = 0;
  for (const [position, { index }] of inOrder.entries()) {
    while ((inOrder[first]?.index ?? index) < index - reach) first += 1;
    const near = inOrder.slice(first, position + 1);
    if (new Set(near.map(({ anchor }) => anchor)).size < anchors.length / 2) continue;
    const from = Math.max(0, Math.floor((near[0]?.index ?? index) - reach));
    const to = Math.min(text.length, Math.ceil(index + reach));
    const last = windows.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else windows.push({ from, to });
  }
  return windows;
}

/** Sellers' algorithm: the substring of `letters` with the least edit distance to `pattern`. */
function alignBest(pattern: readonly string[], letters: readonly string[]) {
  const rows = pattern.length;
  let costs = Uint16Array.from({ length: rows + 1 }, (_, row) => row);
  let starts = new Uint32Array(rows + 1);
  let nextCosts = new Uint16Array(rows + 1);
  let nextStarts = new Uint32Array(rows + 1);
  let best = { edits: rows, start: 0, end: -1 };
  for (let column = 0; column < letters.length; column += 1) {
    const letter = letters[column];
    nextCosts[0] = 0;
    nextStarts[0] = column + 1;
    for (let row = 1; row <= rows; row += 1) {
      const match = at(costs, row - 1) + (letter === pattern[row - 1] ? 0 : 1);
      const left = at(costs, row) + 1;
      const up = at(nextCosts, row - 1) + 1;
      const least = Math.min(match, left, up);
      nextCosts[row] = least;
      // A match of the first letter begins here; everything else begins where what it follows began.
      nextStarts[row] =
        least === match
          ? row === 1
            ? column
            : at(starts, row - 1)
          : least === left
            ? at(starts, row)
            : at(nextStarts, row - 1);
    }
    [costs, nextCosts] = [nextCosts, costs];
    [starts, nextStarts] = [nextStarts, starts];
    if (at(costs, rows) < best.edits) best = { edits: at(costs, rows), start: at(starts, rows), end: column };
  }
  return best;
}

function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
