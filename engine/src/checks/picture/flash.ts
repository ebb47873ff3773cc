import { Type } from "typebox";
import type { FlashEvidence, FlashSequence } from "../../evidence/evidence.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { count, percent, round, seconds } from "../format-numbers.ts";

/** Flashing that may set off a seizure: one finding a sequence, however many frames it has. */
export const flash = defineCheckKind({
  kind: "flash",
  about: "Flashing: more than so many flashes in a second, red flashes, or flashing that goes on for long.",
  parameters: Type.Object({
    flashing: Type.Enum(["general", "red", "extended"]),
    /** Whose area counts: a quarter of the screen (broadcast), or a quarter of any ten degrees of sight (WCAG). */
    standard: Type.Enum(["broadcast", "wcag"]),
    maxPerSecond: Type.Optional(Type.Number({ minimum: 1 })),
    /** Extended: flashing within the limits is a risk when it lasts longer than this. */
    maxSeconds: Type.Optional(Type.Number({ minimum: 1 })),
  }),
  appliesTo: ["video", "image"],
  needs: () => ["flashes"],
  run({ evidence, parameters }) {
    const { flashes } = evidence;
    if (flashes === null) return [];
    const { flashing, standard, maxPerSecond = 3, maxSeconds = 5 } = parameters;
    if (flashes.notJudged !== null) {
      // Said once, although several rules ask.
      return flashing === "general" && standard === "broadcast" ? [notJudged(flashes)] : [];
    }
    const sequences = flashes.sequences.filter((sequence) => sequence.standard === standard);
    if (flashing === "extended") {
      const long = sequences.filter(
        (sequence) => sequence.maxPerSecond <= maxPerSecond && lengthOf(sequence) > maxSeconds,
      );
      return withoutTwins(long).map((sequence, index) => extended(sequence, index, maxSeconds));
    }
    const isTooFast = ({ kind, maxPerSecond: rate }: FlashSequence) => kind === flashing && rate > maxPerSecond;
    const others = flashes.sequences.filter((sequence) => sequence.standard === "broadcast" && isTooFast(sequence));
    return sequences
      .filter(isTooFast)
      .filter((sequence) => standard === "broadcast" || !others.some((other) => isWithin(sequence, other)))
      .map((sequence, index) => tooFast(sequence, index, maxPerSecond));
  },
});

function tooFast(sequence: FlashSequence, index: number, limit: number): Hit {
  const { kind, standard, flashes, maxPerSecond, startSeconds, endSeconds } = sequence;
  const what = kind === "red" ? "red flashes" : "flashes";
  return {
    summary: `${count(maxPerSecond, what.slice(0, -2), what)} in one second between ${seconds(startSeconds)} and ${seconds(endSeconds)}; at most ${limit} are allowed.`,
    headline: `${round(maxPerSecond)} ${what} a second; the limit is ${limit}`,
    reasoning: `${flashes} ${what} (pairs of opposing changes) in ${seconds(lengthOf(sequence))}, up to ${round(maxPerSecond)} in one second where ${limit} are allowed, over ${areaOf(sequence)}.`,
    identity: `${kind} flashing ${index + 1}`,
    location: placeOf(sequence),
    measurement: { value: round(maxPerSecond), limit, unit: "flashes a second" },
    recommendation: `Between ${seconds(startSeconds)} and ${seconds(endSeconds)} slow the flashing to ${limit} a second or fewer (at least 9 frames from one flash to the next at 25 frames a second, 10 at 30), ${kind === "red" ? "take the saturated red out of it" : "lower its contrast"}, or keep it to less than ${standard === "broadcast" ? "a quarter of the picture" : "a thirtieth of the picture"}. Then test the master again.`,
  };
}

function extended(sequence: FlashSequence, index: number, limit: number): Hit {
  const { kind, flashes, maxPerSecond, startSeconds, endSeconds } = sequence;
  return {
    summary: `Flashing goes on for ${seconds(lengthOf(sequence))}, from ${seconds(startSeconds)} to ${seconds(endSeconds)}.`,
    headline: `${seconds(lengthOf(sequence))} of flashing; more than ${limit} s is a risk`,
    reasoning: `${flashes} ${kind} flashes, up to ${round(maxPerSecond)} a second, go on for ${seconds(lengthOf(sequence))} over ${areaOf(sequence)}; up to ${limit} s passes.`,
    identity: `extended ${kind} flashing ${index + 1}`,
    location: placeOf(sequence),
    measurement: { value: round(lengthOf(sequence)), limit, unit: "s" },
    recommendation: `Break the flashing up so that no stretch of it lasts longer than ${limit} s, or take it out.`,
  };
}

function notJudged({ notJudged: why }: FlashEvidence): Hit {
  return {
    summary: `Flashing was not judged: ${why}`,
    headline: "Flashing not judged",
    reasoning: `${why} The limits for this kind of picture are other ones, so a pass would mean nothing.`,
    identity: "not judged",
    severity: "INFO",
    needsHuman: true,
    recommendation: "Have the HDR master tested by a certified flash analyser, or submit the SDR version as well.",
  };
}

/** Red on white flashes in both ways at once: the graver kind speaks. */
function withoutTwins(sequences: readonly FlashSequence[]): FlashSequence[] {
  return sequences.filter(
    (sequence) =>
      sequence.kind === "red" || !sequences.some((other) => other.kind === "red" && isWithin(sequence, other)),
  );
}

/** What fails over a quarter of the screen fails over ten degrees of it as well: that is one problem. */
function isWithin(inner: FlashSequence, outer: FlashSequence): boolean {
  const shared = Math.min(inner.endSeconds, outer.endSeconds) - Math.max(inner.startSeconds, outer.startSeconds);
  return shared >= 0.8 * lengthOf(inner);
}

function lengthOf({ startSeconds, endSeconds }: FlashSequence): number {
  return endSeconds - startSeconds;
}

function areaOf({ standard, areaShare, windowShare }: FlashSequence): string {
  return standard === "broadcast"
    ? `${percent(areaShare, 1)} of the picture (more than 25 % counts)`
    : `${percent(windowShare, 1)} of ten degrees of sight (more than 25 % counts)`;
}

function placeOf({ startSeconds, endSeconds, region }: FlashSequence) {
  return { startSeconds, endSeconds, region };
}
