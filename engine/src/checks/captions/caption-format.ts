import { lazily } from "../../memoize.ts";
import { Type } from "typebox";
import type { Cue } from "../../evidence/evidence.ts";
import { captionTracks, type CaptionTrack } from "./caption-tracks.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { count, list, round, seconds } from "../format-numbers.ts";
import { shorten } from "../wording/phrase.ts";

/** A cue with the one that follows it. */
type Place = { cue: Cue; next: Cue | undefined; framesPerSecond: number; inWords: boolean };

type Verbs = { has: string; is: string };

type Limit = {
  /** Null: the limit says nothing about this cue. */
  measure: (place: Place) => number | null;
  isLeast: boolean;
  /** What is wrong, after "3 captions": "have a line of more than 42 characters". */
  fault: (limit: string, verbs: Verbs) => string;
  unit: (inWords: boolean) => string;
  recommend: (limit: string) => string;
};

const limits = {
  "line-length": {
    measure: ({ cue }) => Math.max(0, ...cue.lines.map(countCharacters)),
    isLeast: false,
    fault: (limit, { has }) => `${has} a line of more than ${limit}`,
    unit: () => "characters",
    recommend: (limit) => `Break the lines at a clause so that none has more than ${limit}, or shorten the text.`,
  },
  lines: {
    measure: ({ cue }) => cue.lines.length,
    isLeast: false,
    fault: (limit, { has }) => `${has} more than ${limit}`,
    unit: () => "lines",
    recommend: (limit) => `Split the captions so that each has ${limit} at most.`,
  },
  "reading-speed": {
    measure: ({ cue, inWords }) => speedOf(cue, inWords),
    isLeast: false,
    fault: (limit, { is }) => `${is} faster than ${limit}`,
    unit: (inWords) => (inWords ? "words a minute" : "characters a second"),
    recommend: (limit) =>
      `Let the captions stay longer into the pause that follows, or edit the text down, until none is faster than ${limit}.`,
  },
  shortest: {
    measure: ({ cue }) => lengthOf(cue),
    isLeast: true,
    fault: (limit, { is }) => `${is} shorter than ${limit}`,
    unit: () => "s",
    recommend: (limit) => `Hold each caption for at least ${limit}, or join it with its neighbour.`,
  },
  longest: {
    measure: ({ cue }) => lengthOf(cue),
    isLeast: false,
    fault: (limit, { is }) => `${is} longer than ${limit}`,
    unit: () => "s",
    recommend: (limit) =>
      `Split the captions so that none stays longer than ${limit}, and let them end with the speech.`,
  },
  gap: {
    measure: ({ cue, next, framesPerSecond }) => {
      const gap = next === undefined ? null : next.startSeconds - cue.endSeconds;
      // What overlaps is another fault. A thousandth is how caption files round.
      return gap === null || gap < -0.001 ? null : Math.max(0, gap * framesPerSecond);
    },
    isLeast: true,
    fault: (limit, { is }) => `${is} followed by the next within less than ${limit}`,
    unit: () => "frames",
    recommend: (limit) => `End each caption at least ${limit} before the next one begins, so that the change is seen.`,
  },
  overlap: {
    measure: ({ cue, next }) => (next === undefined ? null : cue.endSeconds - next.startSeconds),
    isLeast: false,
    fault: (_limit, { is }) => `${is} still there when the next begins`,
    unit: () => "s",
    recommend: () => "End each caption before the next one begins.",
  },
} satisfies Record<string, Limit>;

type LimitName = keyof typeof limits;

/** Two frames of a rate that nobody knows: caption files do not say it. */
const usualFramesPerSecond = 25;
const placesShown = 3;
const leastWords = 3;

/** How captions are cut and timed. One finding a track, however many captions are at fault. */
export const captionFormat = defineCheckKind({
  kind: "caption-format",
  about: "Captions over a limit: length of lines, number of lines, reading speed, duration, gap or overlap.",
  parameters: Type.Object({
    limit: Type.Enum(Object.keys(limits) as LimitName[]),
    /** Characters, lines, characters a second (or words a minute), seconds, or frames; 0 for overlaps. */
    value: Type.Number({ minimum: 0 }),
    /** Reading speed only. */
    per: Type.Optional(Type.Enum(["characters-a-second", "words-a-minute"])),
  }),
  appliesTo: ["video", "document"],
  needs: () => ["captions", "document"],
  run({ evidence, parameters }) {
    const framesPerSecond = evidence.probe.video?.framesPerSecond ?? usualFramesPerSecond;
    const inWords = parameters.per === "words-a-minute";
    return captionTracks(evidence).flatMap((track) =>
      judge(track, { name: parameters.limit, value: parameters.value, framesPerSecond, inWords }),
    );
  },
});

function judge(
  { name: trackName, key, cues }: CaptionTrack,
  options: { name: LimitName; value: number; framesPerSecond: number; inWords: boolean },
): Hit[] {
  const { name, value, ...rate } = options;
  const limit: Limit = limits[name];
  const found = cues
    .flatMap((cue, index) => {
      const measured = limit.measure({ cue, next: cues[index + 1], ...rate });
      return measured !== null && isOver(measured, value, limit) ? [{ cue, measured }] : [];
    })
    .toSorted((a, b) => (limit.isLeast ? a.measured - b.measured : b.measured - a.measured));
  const worst = found[0];
  if (worst === undefined) return [];
  const unit = limit.unit(rate.inWords);
  const figure = (measured: number) => figureOf(measured, unit);
  const limitText = figure(value);
  const examples = found
    .slice(0, placesShown)
    .map(({ cue, measured }) => `${seconds(cue.startSeconds)} (${figure(measured)})`);
  const more = found.length > placesShown ? [`${found.length - placesShown} more`] : [];
  const { startSeconds, endSeconds, text } = worst.cue;
  const verbs = found.length === 1 ? { has: "has", is: "is" } : { has: "have", is: "are" };
  return [
    {
      summary: `In ${trackName} ${count(found.length, "caption", "captions")} ${limit.fault(limitText, verbs)}${found.length === 1 ? ":" : "; the worst is"} “${shorten(text, 60)}” at ${seconds(startSeconds)} (${figure(worst.measured)}).`,
      headline: `${figure(worst.measured)}${name === "overlap" ? " of overlap" : `; ${unit === "s" ? limitText : value} is the ${limit.isLeast ? "least" : "most"}`}`,
      reasoning: `${found.length} of ${count(cues.length, "caption", "captions")} (${Math.max(1, Math.round((100 * found.length) / cues.length))} %): at ${list([...examples, ...more])}.`,
      identity: `${name} ${key}`,
      location: { startSeconds, endSeconds, quote: shorten(text, 300) },
      measurement: { value: round(worst.measured), limit: name === "overlap" ? 0 : value, unit },
      recommendation: limit.recommend(limitText),
    },
  ];
}

function isOver(measured: number, value: number, { isLeast, unit }: Limit): boolean {
  // Caption files round to thousandths of a second.
  const rounding = unit(false) === "frames" ? 0.05 : 0.0015;
  return isLeast ? measured < value - rounding : measured > value + rounding;
}

function speedOf(cue: Cue, inWords: boolean): number | null {
  const length = lengthOf(cue);
  if (length <= 0) return null;
  const words = cue.text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  // A rate of one or two words says nothing about reading.
  if (inWords) return words < leastWords ? null : (60 * words) / length;
  return cue.lines.reduce((sum, line) => sum + countCharacters(line), 0) / length;
}

const characters = lazily(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

function countCharacters(line: string): number {
  return Array.from(characters().segment(line)).length;
}

function lengthOf({ startSeconds, endSeconds }: Cue): number {
  return endSeconds - startSeconds;
}

function figureOf(measured: number, unit: string): string {
  if (unit === "s") return seconds(measured);
  const digits = unit === "words a minute" ? 0 : 1;
  return `${round(measured, digits)} ${measured === 1 ? unit.replace(/s$/, "") : unit}`;
}
